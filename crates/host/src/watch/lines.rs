//! Watching what commands write.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use uphold_resource::{Command, Error, Interest, Result, Token};

use super::gate::{Gate, Source};
use super::numbers::Numbers;
use super::speaker::{Leaving, Speaker};
use super::tidings::Tidings;
use crate::root::Root;

/// A command that ended is started again after this long; each time it takes twice as long.
const FIRST_DELAY: Duration = Duration::from_secs(1);

/// It never takes longer. A command that ran for this long begins anew.
const LONGEST_DELAY: Duration = Duration::from_secs(60);

/// How often we look whether a command that was asked to end did.
const LOOK_UP: Duration = Duration::from_millis(50);

/// The commands that are listened to, each once, however many are interested.
#[derive(Default)]
pub(super) struct Lines {
    numbers: HashMap<Command, u32>,
    sources: HashMap<u32, Output>,
    leaving: Vec<Leaving>,
    /// When we look whether those ended.
    look_up: Option<Instant>,
    next: u32,
}

/// What one command writes.
struct Output {
    command: Command,
    tokens: Numbers,
    state: State,
    delay: Duration,
    /// It was said that it cannot be heard.
    said: bool,
}

enum State {
    Speaks { speaker: Speaker, since: Instant },
    Silent { until: Instant },
}

impl Lines {
    /// Listens to `command` for `token`.
    ///
    /// # Errors
    /// If it does not run. It is started again after a while.
    pub(super) fn add(&mut self, token: Token, command: &Command, root: &Root, gate: &Gate) -> Result<()> {
        if let Some(output) = self.numbers.get(command).and_then(|number| self.sources.get_mut(number)) {
            output.tokens.insert(token);
            return match output.state {
                State::Speaks { .. } => Ok(()),
                State::Silent { .. } => Err(Error::failed(silent(command))),
            };
        }
        let number = self.next;
        self.next = self.next.wrapping_add(1);
        let mut tokens = Numbers::default();
        tokens.insert(token);
        let state = State::Silent { until: Instant::now() };
        let mut output = Output { command: command.clone(), tokens, state, delay: FIRST_DELAY, said: false };
        let started = output.start(number, root, gate);
        // The caller is told now.
        output.said = started.is_err();
        self.numbers.insert(command.clone(), number);
        self.sources.insert(number, output);
        started
    }

    /// Listens no more. The command is ended if nobody else wants to hear it.
    pub(super) fn remove(&mut self, token: Token, command: &Command) {
        let Some(number) = self.numbers.get(command).copied() else { return };
        let Some(output) = self.sources.get_mut(&number) else { return };
        output.tokens.remove(token);
        if !output.tokens.is_empty() {
            return;
        }
        self.numbers.remove(command);
        if let Some(Output { state: State::Speaks { speaker, .. }, .. }) = self.sources.remove(&number) {
            self.see_off(speaker.leave());
        }
    }

    fn see_off(&mut self, leaving: Leaving) {
        self.leaving.push(leaving);
        self.look_up.get_or_insert_with(|| Instant::now() + LOOK_UP);
    }

    /// Something can be read.
    pub(super) fn hear(&mut self, number: u32, tidings: &mut Tidings) {
        let Some(output) = self.sources.get_mut(&number) else { return };
        let State::Speaks { speaker, since } = &mut output.state else { return };
        let heard = speaker.listen();
        let lasted = since.elapsed() >= LONGEST_DELAY;
        if heard.line {
            output.tell(tidings);
        }
        if heard.over {
            let leaving = output.fall_silent(lasted);
            output.tell_of_silence(&silent(&output.command), tidings);
            leaving.into_iter().for_each(|leaving| self.see_off(leaving));
        }
    }

    /// When something has to be done without anything being heard.
    pub(super) fn due(&self) -> Option<Instant> {
        let silent = self.sources.values().filter_map(|output| match output.state {
            State::Silent { until } => Some(until),
            State::Speaks { .. } => None,
        });
        silent.chain(self.look_up).min()
    }

    /// Starts what is to be started again, and ends what is to be ended.
    pub(super) fn act_if_due(&mut self, root: &Root, gate: &Gate, tidings: &mut Tidings) {
        self.leaving.retain_mut(|leaving| !leaving.is_gone());
        self.look_up = (!self.leaving.is_empty()).then(|| Instant::now() + LOOK_UP);
        for (number, output) in &mut self.sources {
            if !matches!(output.state, State::Silent { until } if until <= Instant::now()) {
                continue;
            }
            match output.start(*number, root, gate) {
                // Nobody knows what it would have said meanwhile.
                Ok(()) => output.tell(tidings),
                Err(error) => output.tell_of_silence(&error.chain(), tidings),
            }
        }
    }
}

impl Output {
    fn start(&mut self, number: u32, root: &Root, gate: &Gate) -> Result<()> {
        let started = Speaker::start(root, &self.command).and_then(|speaker| {
            match gate.add(&speaker.pipe, Source::Speaker(number)) {
                Ok(()) => Ok(speaker),
                Err(error) => {
                    speaker.leave().is_gone();
                    Err(error)
                }
            }
        });
        match started {
            Ok(speaker) => {
                self.state = State::Speaks { speaker, since: Instant::now() };
                Ok(())
            }
            Err(error) => {
                self.fall_silent(false);
                Err(error)
            }
        }
    }

    /// It does not run. Returns what has to be ended of it.
    fn fall_silent(&mut self, lasted: bool) -> Option<Leaving> {
        if lasted {
            (self.delay, self.said) = (FIRST_DELAY, false);
        }
        let state = State::Silent { until: Instant::now() + self.delay };
        self.delay = (self.delay * 2).min(LONGEST_DELAY);
        match std::mem::replace(&mut self.state, state) {
            State::Speaks { speaker, .. } => Some(speaker.leave()),
            State::Silent { .. } => None,
        }
    }

    fn tell(&self, tidings: &mut Tidings) {
        for token in self.tokens.iter() {
            tidings.changed(token, || Interest::Lines(self.command.clone()));
        }
    }

    /// Says once that nothing is heard.
    fn tell_of_silence(&mut self, because: &str, tidings: &mut Tidings) {
        if !std::mem::replace(&mut self.said, true) {
            self.tokens.iter().for_each(|token| tidings.blind(token, because));
        }
    }
}

fn silent(command: &Command) -> String {
    format!("cannot listen to {}: it ended, and is started again after a while", command.program)
}

/// Nothing that we started outlives us.
impl Drop for Lines {
    fn drop(&mut self) {
        let speakers = self.sources.drain().filter_map(|(_, output)| match output.state {
            State::Speaks { speaker, .. } => Some(speaker.leave()),
            State::Silent { .. } => None,
        });
        self.leaving.extend(speakers);
        while !self.leaving.is_empty() {
            self.leaving.retain_mut(|leaving| !leaving.is_gone());
            if !self.leaving.is_empty() {
                std::thread::sleep(LOOK_UP / 10);
            }
        }
    }
}
