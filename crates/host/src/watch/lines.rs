//! Watches on the output of commands.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use uphold_resource::{Command, Error, Interest, Result, Token};

use super::change_batch::ChangeBatch;
use super::epoll::{Epoll, Source};
use super::line_command::{EndingCommand, LineCommand};
use super::small_set::SmallSet;
use crate::root::Root;

/// The delay before a command that ended is started again. It doubles each time.
const FIRST_DELAY: Duration = Duration::from_secs(1);

/// The longest delay. A command that ran for this long starts again with the first delay.
const LONGEST_DELAY: Duration = Duration::from_secs(60);

/// How often commands that are being ended are checked.
const END_CHECK: Duration = Duration::from_millis(50);

/// The commands whose output is watched. Each runs once, however many tokens are interested.
#[derive(Default)]
pub(super) struct Lines {
    ids: HashMap<Command, u32>,
    sources: HashMap<u32, Listener>,
    ending: Vec<EndingCommand>,
    /// The time of the next check of those.
    next_check: Option<Instant>,
    next: u32,
}

/// One command, with the tokens that its lines are reported to.
struct Listener {
    command: Command,
    tokens: SmallSet,
    state: State,
    delay: Duration,
    /// Whether it was reported that the command does not run.
    is_reported: bool,
}

enum State {
    Running { running: LineCommand, since: Instant },
    Waiting { until: Instant },
}

impl Lines {
    /// Reports lines of `command` to `token`.
    ///
    /// # Errors
    /// If the command does not run. It is started again later.
    pub(super) fn add(&mut self, token: Token, command: &Command, root: &Root, epoll: &Epoll) -> Result<()> {
        if let Some(listener) = self.ids.get(command).and_then(|id| self.sources.get_mut(id)) {
            listener.tokens.insert(token);
            return match listener.state {
                State::Running { .. } => Ok(()),
                State::Waiting { .. } => Err(Error::failed(not_running(command))),
            };
        }
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        let mut tokens = SmallSet::default();
        tokens.insert(token);
        let state = State::Waiting { until: Instant::now() };
        let mut listener =
            Listener { command: command.clone(), tokens, state, delay: FIRST_DELAY, is_reported: false };
        let started = listener.start(id, root, epoll);
        // The caller gets the error now.
        listener.is_reported = started.is_err();
        self.ids.insert(command.clone(), id);
        self.sources.insert(id, listener);
        started
    }

    /// Stops reporting. The command is ended if no other token needs it.
    pub(super) fn remove(&mut self, token: Token, command: &Command) {
        let Some(id) = self.ids.get(command).copied() else { return };
        let Some(listener) = self.sources.get_mut(&id) else { return };
        listener.tokens.remove(token);
        if !listener.tokens.is_empty() {
            return;
        }
        self.ids.remove(command);
        if let Some(Listener { state: State::Running { running, .. }, .. }) = self.sources.remove(&id) {
            self.wait_for_end(running.terminate());
        }
    }

    fn wait_for_end(&mut self, ending: EndingCommand) {
        self.ending.push(ending);
        self.next_check.get_or_insert_with(|| Instant::now() + END_CHECK);
    }

    /// Reads the output of a command.
    pub(super) fn read_lines(&mut self, id: u32, batch: &mut ChangeBatch) {
        let Some(listener) = self.sources.get_mut(&id) else { return };
        let State::Running { running, since } = &mut listener.state else { return };
        let read = running.read();
        let lasted = since.elapsed() >= LONGEST_DELAY;
        if read.line {
            listener.report(batch);
        }
        if read.over {
            let ending = listener.stop(lasted);
            listener.report_end(&not_running(&listener.command), batch);
            if let Some(ending) = ending {
                self.wait_for_end(ending);
            }
        }
    }

    /// The time of the next action.
    pub(super) fn due(&self) -> Option<Instant> {
        let waiting = self.sources.values().filter_map(|listener| match listener.state {
            State::Waiting { until } => Some(until),
            State::Running { .. } => None,
        });
        waiting.chain(self.next_check).min()
    }

    /// Starts and ends commands that are due.
    pub(super) fn act_if_due(&mut self, root: &Root, epoll: &Epoll, batch: &mut ChangeBatch) {
        self.ending.retain_mut(|ending| !ending.has_ended());
        self.next_check = (!self.ending.is_empty()).then(|| Instant::now() + END_CHECK);
        for (id, listener) in &mut self.sources {
            if !matches!(listener.state, State::Waiting { until } if until <= Instant::now()) {
                continue;
            }
            match listener.start(*id, root, epoll) {
                // Lines may have been missed meanwhile.
                Ok(()) => listener.report(batch),
                Err(error) => listener.report_end(&error.chain(), batch),
            }
        }
    }
}

impl Listener {
    fn start(&mut self, id: u32, root: &Root, epoll: &Epoll) -> Result<()> {
        let started = LineCommand::start(root, &self.command).and_then(|running| {
            match epoll.add(&running.pipe, Source::LineCommand(id)) {
                Ok(()) => Ok(running),
                Err(error) => {
                    running.terminate().has_ended();
                    Err(error)
                }
            }
        });
        match started {
            Ok(running) => {
                self.state = State::Running { running, since: Instant::now() };
                Ok(())
            }
            Err(error) => {
                self.stop(false);
                Err(error)
            }
        }
    }

    /// Sets the delay of the next start. Returns the command that must be ended, if it still runs.
    fn stop(&mut self, lasted: bool) -> Option<EndingCommand> {
        if lasted {
            (self.delay, self.is_reported) = (FIRST_DELAY, false);
        }
        let state = State::Waiting { until: Instant::now() + self.delay };
        self.delay = (self.delay * 2).min(LONGEST_DELAY);
        match std::mem::replace(&mut self.state, state) {
            State::Running { running, .. } => Some(running.terminate()),
            State::Waiting { .. } => None,
        }
    }

    fn report(&self, batch: &mut ChangeBatch) {
        for token in self.tokens.iter() {
            batch.changed(token, || Interest::Lines(self.command.clone()));
        }
    }

    /// Reports once that the command does not run.
    fn report_end(&mut self, because: &str, batch: &mut ChangeBatch) {
        if !std::mem::replace(&mut self.is_reported, true) {
            self.tokens.iter().for_each(|token| batch.blind(token, because));
        }
    }
}

fn not_running(command: &Command) -> String {
    format!("cannot watch the output of {}: it ended, and will be started again", command.program)
}

/// Ends all commands, so that none outlives the watcher.
impl Drop for Lines {
    fn drop(&mut self) {
        let speakers = self.sources.drain().filter_map(|(_, listener)| match listener.state {
            State::Running { running, .. } => Some(running.terminate()),
            State::Waiting { .. } => None,
        });
        self.ending.extend(speakers);
        while !self.ending.is_empty() {
            self.ending.retain_mut(|ending| !ending.has_ended());
            if !self.ending.is_empty() {
                std::thread::sleep(END_CHECK / 10);
            }
        }
    }
}
