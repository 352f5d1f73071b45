//! Watches the inputs of a configuration, and reloads it.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uphold_host::LocalHost;
use uphold_resource::{Clock, Error, ErrorKind, Interest, Token, WatchEvent};

use super::input_state::InputState;
use super::reader::{Generation, ReloadTrigger, Stage, input_name};
use super::session::{ConfigurationSource, FollowedFile, Steering};
use crate::configuration::Rejected;
use crate::input_log::{Input, InputLog, current_digest, digest};

/// A save is often several changes: it has ended when there was none for this long.
const QUIET: Duration = Duration::from_millis(50);

/// The longest wait for the end of a save.
const LONGEST: Duration = Duration::from_millis(500);

/// How long a missing file of the configuration is waited for: an editor or a deployment may be about to replace it.
const REPLACEMENT: Duration = Duration::from_secs(10);

/// One token for all inputs: any change reloads the whole configuration.
const TOKEN: Token = 0;

/// The token of the file that is followed.
const FOLLOWED: Token = 1;

/// Watches the inputs of a configuration, and reloads it.
pub(super) struct InputWatch<'a> {
    source: &'a ConfigurationSource,
    stage: &'a Stage<'a>,
    steering: &'a Steering,
    /// The interval of polling.
    refresh: Duration,
    host: LocalHost,
    inputs: InputState,
    /// The inputs of the configuration in force, and how many of them are in `inputs`.
    current: Arc<InputLog>,
    entered: usize,
    /// Whether the inputs cannot be watched, and are polled.
    is_polling: bool,
    /// The input that differed directly after it was read.
    hasty: Option<Input>,
    /// The last error, which is reported once.
    last_error: Option<String>,
    followed: Option<&'a FollowedFile>,
    /// Whether it cannot be watched.
    polls_followed: bool,
    /// When the removals can be made that a pause held back.
    removals_due: Option<SystemTime>,
    missing: Option<MissingFile>,
}

/// A file of the configuration in force that may be about to be replaced.
struct MissingFile {
    input: Input,
    /// When the configuration is reloaded without it.
    until: Duration,
}

impl<'a> InputWatch<'a> {
    pub(super) fn new(
        source: &'a ConfigurationSource,
        stage: &'a Stage<'a>,
        steering: &'a Steering,
        (refresh, current): (Duration, Arc<InputLog>),
    ) -> Self {
        Self {
            source,
            stage,
            steering,
            refresh,
            host: LocalHost::new(),
            inputs: InputState::default(),
            current,
            entered: 0,
            is_polling: false,
            hasty: None,
            last_error: None,
            followed: None,
            polls_followed: false,
            removals_due: None,
            missing: None,
        }
    }

    /// Follows a file, too. It may have changed before it is watched.
    pub(super) fn following(mut self, followed: Option<&'a FollowedFile>) -> Self {
        if let Some(FollowedFile { path, changed }) = followed {
            let armed = self.steering.watcher.arm(FOLLOWED, &[Interest::Path(path.clone())]);
            self.polls_followed = armed.is_err();
            changed();
        }
        Self { followed, ..self }
    }

    /// Runs until the watch ends.
    ///
    /// # Guarantees
    /// An input is armed before it is checked, and all earlier reports are collected: any later change is reported.
    pub(super) fn run(&mut self) {
        self.accept(&self.current.clone());
        let mut unsure = true;
        let mut due = self.clock().elapsed() + self.refresh;
        while !self.steering.is_ended() {
            let more = self.enter_late_ones();
            let reported = self.collect();
            if reported {
                self.settle();
            }
            let occasion = self.occasion(reported, unsure || more, &mut due);
            unsure = occasion.is_some();
            match occasion {
                // The wait for quiet may have consumed the nudge of the end.
                _ if self.steering.is_ended() => return,
                Some(occasion) => self.reload(&occasion),
                None => self.wait(due),
            }
        }
    }

    /// Why the configuration must be reloaded, if it must.
    fn occasion(&mut self, reported: bool, unsure: bool, due: &mut Duration) -> Option<ReloadTrigger> {
        if self.steering.take_reload() {
            return Some(ReloadTrigger::Asked);
        }
        if (reported || unsure)
            && let Some(input) = self.changed()
        {
            let again = !reported && self.hasty.as_ref() == Some(&input);
            self.hasty = (!reported).then(|| input.clone());
            if !again {
                if !reported {
                    // It changed before it was watched, and may be half written.
                    self.settle();
                }
                return Some(ReloadTrigger::changed(&input));
            }
            self.inputs.set_unstable(input);
        }
        if let Some(ended) = self.steering.take_removals_ended() {
            self.removals_due = ended.held_back_until;
            return Some(ReloadTrigger::Removed);
        }
        if let Some(at) = self.removals_due
            && (self.steering.take_pauses_changed() || self.clock().now() >= at)
        {
            return Some(ReloadTrigger::Resumed);
        }
        let now = self.clock().elapsed();
        if let Some(missing) = self.missing.as_ref().filter(|missing| now >= missing.until) {
            return Some(ReloadTrigger::changed(&missing.input));
        }
        if now < *due {
            return None;
        }
        *due = now + self.refresh;
        if self.polls_followed {
            self.followed_changed();
        }
        let surroundings = self.source.surroundings().ok()?;
        self.inputs.changed_polled(&surroundings, self.is_polling).map(|input| ReloadTrigger::live(&input))
    }

    fn changed(&mut self) -> Option<Input> {
        let surroundings = self.source.surroundings().ok()?;
        self.inputs.changed(&surroundings)
    }

    fn reload(&mut self, occasion: &ReloadTrigger) {
        if *occasion != ReloadTrigger::Removed {
            // Removals are planned again, and pauses are read by their visits: earlier changes do not count.
            self.steering.take_removals_ended();
            self.steering.take_pauses_changed();
            self.removals_due = None;
        }
        self.stage.report(|reader| reader.reading(occasion));
        let notes = Arc::<InputLog>::default();
        match self.source.check(&notes, occasion) {
            Err(error) => {
                if self.is_new(occasion, error.chain()) {
                    self.stage.report(|reader| reader.unreadable(occasion, &error));
                }
                self.add(&notes);
            }
            Ok(Err(Rejected { diagnostics, sources })) => {
                if self.is_new(occasion, format!("{diagnostics:?}")) {
                    self.stage.report(|reader| reader.checked(occasion, &diagnostics, &sources));
                }
                tracing::warn!("configuration refused, the previous one stays in force");
                self.add(&notes);
            }
            Ok(Ok(_)) if self.awaits_replacement(occasion) => self.add(&notes),
            Ok(Ok(checked)) => {
                if self.is_new(occasion, String::new()) {
                    self.stage
                        .report(|reader| reader.checked(occasion, checked.warnings(), checked.sources()));
                }
                self.stage.swap(&self.steering.control, Generation::new(checked));
                self.accept(&notes);
            }
        }
    }

    /// Whether a file of the configuration in force is missing, and may come back: without it, its resources would be no longer
    /// declared. It is reported once. A requested reload does not wait.
    fn awaits_replacement(&mut self, occasion: &ReloadTrigger) -> bool {
        let (last, now) = (self.missing.take(), self.clock().elapsed());
        let is_over = last.as_ref().is_some_and(|last| now >= last.until);
        if is_over || *occasion == ReloadTrigger::Asked {
            return false;
        }
        let Some(input) = self.missing_file() else { return false };
        if last.is_none() {
            let error = missing_error(&input);
            self.is_new(occasion, error.chain());
            self.stage.report(|reader| reader.unreadable(occasion, &error));
        }
        let until = last.map_or(now + REPLACEMENT, |last| last.until);
        self.missing = Some(MissingFile { input, until });
        true
    }

    /// A file of the configuration in force that does not exist any more.
    fn missing_file(&self) -> Option<Input> {
        let (surroundings, nothing) = (self.source.surroundings().ok()?, digest(None));
        let files = self.current.all().into_iter();
        let mut files = files.filter(|(input, known)| matches!(input, Input::Text(_)) && *known != nothing);
        files.find(|(input, _)| current_digest(input, &surroundings) == nothing).map(|(input, _)| input)
    }

    /// Whether to report it: a value that stays invalid is reported once.
    fn is_new(&mut self, occasion: &ReloadTrigger, error: String) -> bool {
        let same = self.last_error.as_ref() == Some(&error);
        self.last_error = Some(error);
        occasion.is_user_request() || !same
    }

    /// The configuration is in force: only its inputs matter.
    fn accept(&mut self, notes: &Arc<InputLog>) {
        let watcher = self.steering.watcher.clone();
        notes.on_new(move || watcher.nudge());
        self.current = notes.clone();
        let read = notes.all();
        self.entered = read.len();
        self.inputs.replace(read);
        self.arm();
    }

    /// The configuration is invalid: a fix changes its inputs, or those of the previous one.
    fn add(&mut self, notes: &InputLog) {
        self.inputs.add(notes.all());
        self.arm();
    }

    /// Adds the inputs that were read since it is in force; whether there were any.
    fn enter_late_ones(&mut self) -> bool {
        let more = self.current.len() > self.entered;
        if more {
            let read = self.current.all();
            self.entered = read.len();
            self.inputs.add_new(read);
            self.arm();
        }
        more
    }

    fn arm(&mut self) {
        let watcher = &self.steering.watcher;
        let armed = self.inputs.interests().and_then(|interests| watcher.arm(TOKEN, &interests));
        match armed {
            Ok(()) => self.is_polling = false,
            Err(error) => self.start_polling(&error.chain()),
        }
    }

    fn start_polling(&mut self, because: &str) {
        if !self.is_polling {
            self.stage.report(|reader| reader.blind(because));
        }
        self.is_polling = true;
    }

    fn followed_changed(&self) {
        if let Some(followed) = self.followed {
            (followed.changed)();
        }
    }

    /// Collects all reports; whether there were any about inputs.
    fn collect(&mut self) -> bool {
        let (mut reported, mut blind, mut followed) = (false, None, false);
        self.steering.watcher.collect(&mut |news| match news {
            WatchEvent::Changed { token: FOLLOWED, .. } => followed = true,
            WatchEvent::Blind { token: FOLLOWED, .. } => self.polls_followed = true,
            WatchEvent::Changed { .. } => reported = true,
            WatchEvent::Lost => (reported, followed) = (true, true),
            WatchEvent::Blind { because, .. } => {
                reported = true;
                blind = Some(because);
            }
        });
        if followed {
            self.followed_changed();
        }
        if let Some(because) = blind {
            self.start_polling(&because);
        }
        reported
    }

    /// Waits for the end of a save. A requested reload does not shorten it, because files may be half written.
    fn settle(&mut self) {
        let began = self.clock().elapsed();
        let mut last = began;
        loop {
            let now = self.clock().elapsed();
            let quiet = now.saturating_sub(last);
            if quiet >= QUIET || now.saturating_sub(began) >= LONGEST || self.steering.is_ended() {
                return;
            }
            self.steering.watcher.wait(Some(QUIET - quiet));
            if self.collect() {
                last = self.clock().elapsed();
            }
        }
    }

    /// Waits for a report, a request, or the next poll.
    fn wait(&self, due: Duration) {
        let polls = self.is_polling || self.polls_followed || self.inputs.has_polled();
        let poll = polls.then(|| due.saturating_sub(self.clock().elapsed()));
        let removals = self.removals_due.map(|at| at.duration_since(self.clock().now()).unwrap_or_default());
        let missing = self.missing.as_ref().map(|one| one.until.saturating_sub(self.clock().elapsed()));
        self.steering.watcher.wait([poll, removals, missing].into_iter().flatten().min());
    }

    fn clock(&self) -> &dyn Clock {
        &self.host
    }
}

fn missing_error(input: &Input) -> Error {
    let (file, seconds) = (input_name(input), REPLACEMENT.as_secs());
    let message = format!("{file} is missing; the configuration is reloaded without it in {seconds} seconds");
    Error::new(ErrorKind::Missing, message)
}
