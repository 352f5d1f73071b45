//! The output of plan and apply for people.

use std::time::Duration;

use uphold::journal::LeftResource;
use uphold::model::{Diagnostics, ResourceId, Sources, Value};
use uphold::resource::{Accounts, Level, Stop};
use uphold::{
    ErrorKind, Event, EventKind, Failure, Gauge, LeftOut, LocalHost, Mode, Program, Summary, Verdict,
};

use super::action_history::ActionHistories;
use super::excluded_dependents;
use super::failure::{self, Weight, indented, show_error};
use super::finished_action::{FinishedAction, is_left_out};
use super::known_troubles::EqualFailures;
use super::left_resources;
use super::progress::Progress;
use super::property_lines::{PropertyLines, known_later};
use super::reporter::{Report, Scene};
use super::summary::{RunShape, Slowest};
use crate::diagnostics::{self, count};
use crate::time_text;
use crate::{CliError, Flags, HintCommand, Ui, clean};

/// After a longer run, the slowest actions are shown.
const LONG: Duration = Duration::from_secs(10);

/// A longer wait is reported if no progress bar shows it.
const LONG_WAIT: Duration = Duration::from_secs(5);

/// The number of skipped resources that are listed; the others are counted.
const MOST_SKIPPED: usize = 20;

/// Prints changes to standard output and failures to standard error.
pub(crate) struct Human {
    quiet: bool,
    verbose: bool,
    audit: bool,
    stop: Stop,
    mode: Mode,
    gauge: Gauge,
    progress: Option<Progress>,
    histories: ActionHistories,
    slowest: Slowest,
    /// The number of skipped resources so far.
    skipped: usize,
    equal_failures: EqualFailures,
    /// Whether an output was shown.
    has_outputs: bool,
    /// The number of actions that are not selected.
    unselected: usize,
    /// Whether `--root` is given.
    has_root: bool,
    /// The list of the resources that are no longer declared, until it is printed.
    left: String,
    /// Whether the user was denied access to something.
    is_denied: bool,
}

/// A text and its stream: standard output (data) or standard error (talk).
pub(crate) enum To {
    Data(String),
    Talk(String),
    Nowhere,
}

impl Human {
    pub(crate) fn new(flags: &Flags, audit: bool, stop: &Stop) -> Self {
        Self {
            quiet: flags.quiet,
            verbose: flags.verbose,
            audit,
            stop: stop.clone(),
            mode: Mode::Plan,
            gauge: Gauge::default(),
            progress: None,
            histories: ActionHistories::default(),
            slowest: Slowest::default(),
            skipped: 0,
            equal_failures: EqualFailures::default(),
            has_outputs: false,
            unselected: 0,
            has_root: flags.root.is_some(),
            left: String::new(),
            is_denied: false,
        }
    }

    /// Shows the progress of transfers, too.
    pub(crate) fn measured_by(self, gauge: &Gauge) -> Self {
        Self { gauge: gauge.clone(), ..self }
    }

    /// An output, below a heading of its own.
    fn output(
        &mut self,
        name: &str,
        value: &Result<Value, Box<Failure>>,
        scene: &mut Scene<'_>,
        ui: &Ui,
    ) -> To {
        match value {
            Err(failure) => {
                let at = failure.place.map(|place| scene.lines().describe(place));
                let properties = PropertyLines { paint: ui.talk_paint(), verbose: self.verbose };
                let name = format!("output {name}");
                To::Talk(failure::failure(Weight::Error, &name, failure, at.as_deref(), &properties))
            }
            Ok(_) if self.quiet => To::Nowhere,
            Ok(value) => {
                let heading = if self.has_outputs { "" } else { "\nOutputs:\n" };
                self.has_outputs = true;
                To::Data(format!("{heading}  {name} = {}\n", shown(value, self.mode)))
            }
        }
    }

    fn message(&self, resource: &ResourceId, level: Level, text: &str, ui: &Ui) -> To {
        let name = resource.to_string();
        match level {
            _ if self.quiet => To::Nowhere,
            Level::Warning => To::Talk(failure::warning(&name, text, ui.talk_paint())),
            Level::Debug if !self.verbose => To::Nowhere,
            _ => To::Data(format!("  {}: {}\n", clean(&name), indented(text))),
        }
    }

    fn retrying(&self, resource: &ResourceId, failure: &Failure, tried: u32, after: Duration, ui: &Ui) -> To {
        if self.quiet {
            return To::Nowhere;
        }
        let text = format!(
            "attempt {tried} failed, next attempt in {}: {}",
            time_text::words(after),
            failure.message
        );
        To::Talk(failure::warning(&resource.to_string(), &text, ui.talk_paint()))
    }

    /// With -v once for each reason; otherwise only a long wait that no progress bar shows.
    fn waiting(&self, resource: &ResourceId, after: Duration) -> To {
        let Some(wait) = self.histories.get(resource).and_then(|history| history.waits.last()) else {
            return To::Nowhere;
        };
        let is_long = wait.span >= LONG_WAIT && wait.span.saturating_sub(after) < LONG_WAIT;
        let is_shown = if self.verbose { wait.looks == 1 } else { self.progress.is_none() && is_long };
        if self.quiet || !is_shown {
            return To::Nowhere;
        }
        To::Talk(format!("  {}: waiting: {}\n", clean(&resource.to_string()), indented(&wait.reason)))
    }

    fn note_wait(&mut self, event: &Event, resource: &ResourceId, reason: &str) {
        self.histories.record(event);
        if let Some(progress) = &self.progress {
            progress.waits(resource, reason);
        }
    }

    fn print(&self, to: To, ui: &mut Ui) {
        let live = self.mode == Mode::Apply || ui.is_data_terminal();
        let write = || match to {
            To::Data(text) => {
                ui.data(text);
                if live {
                    ui.flush();
                }
            }
            To::Talk(text) => ui.talk(text),
            To::Nowhere => {}
        };
        match &self.progress {
            Some(progress) => progress.hidden_during(write),
            None => write(),
        }
    }

    fn run_started(&mut self, mode: Mode, actions: usize, ui: &Ui) {
        self.mode = mode;
        self.has_outputs = false;
        self.skipped = 0;
        self.is_denied = false;
        self.equal_failures = EqualFailures::default();
        let watched = ui.is_talk_terminal() && !self.quiet;
        self.progress = watched.then(|| Progress::new(actions, self.stop.clone(), self.gauge.clone()));
    }

    fn finished(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        let EventKind::Finished { resource, action, cause, verdict, took } = &event.kind else { return };
        if let Verdict::Failed(failure) = verdict {
            self.is_denied |= failure.kind == ErrorKind::Denied;
        }
        self.slowest.record(resource, action, *took);
        let history = self.histories.take(resource);
        self.skipped += usize::from(matches!(verdict, Verdict::Skipped(_)));
        if self.skipped > self.most_skipped() && matches!(verdict, Verdict::Skipped(_)) {
            return;
        }
        if let Verdict::Failed(failure) = verdict
            && !self.verbose
            && !self.equal_failures.is_shown(resource, failure)
        {
            return;
        }
        let timed = (self.mode == Mode::Apply).then_some(*took);
        let finished = FinishedAction {
            resource,
            action,
            cause,
            verdict,
            mode: self.mode,
            took: timed,
            history: &history,
        };
        let to = finished.lines(self.quiet, self.verbose, scene, ui);
        self.print(to, ui);
    }

    fn shape(&self) -> RunShape {
        RunShape {
            mode: self.mode,
            audit: self.audit,
            unselected: self.unselected,
            conditions_shown: self.verbose,
        }
    }

    fn most_skipped(&self) -> usize {
        if self.verbose { usize::MAX } else { MOST_SKIPPED }
    }

    fn run_finished(&mut self, summary: &Summary, at: Duration, ui: &mut Ui) {
        if let Some(progress) = self.progress.take() {
            progress.end();
        }
        if !self.verbose {
            self.equal_failures.show_rest(ui);
        }
        let more = self.skipped.saturating_sub(self.most_skipped());
        if more > 0 {
            ui.talk(format_args!("  . {more} more were skipped; -v and --report list them all\n"));
        }
        if self.is_denied && !self.has_root && LocalHost::new().current_uid() != 0 {
            ui.talk("tip: to try a configuration without root's rights, use a directory as the machine: --root DIR\n");
        }
        let slowest = std::mem::take(&mut self.slowest);
        if self.quiet {
            return;
        }
        if self.mode == Mode::Apply && (self.verbose || at >= LONG) {
            ui.data(slowest.text());
        }
        let gap = if summary.changed + summary.put_back + summary.differ + summary.paused == 0
            && !self.has_outputs
        {
            ""
        } else {
            "\n"
        };
        ui.data(format_args!("{gap}{}\n", self.shape().sentence(summary, at)));
        ui.data(std::mem::take(&mut self.left));
        ui.flush();
    }
}

impl Report for Human {
    fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui) {
        diagnostics::show(diagnostics, sources, !self.quiet, ui);
    }

    fn no_longer_declared(&mut self, left: &[LeftResource], forget: &HintCommand, _: &mut Ui) {
        self.left = left_resources::text(left, forget, self.verbose);
    }

    fn left_out(&mut self, left_out: &[LeftOut], program: &Program, ui: &mut Ui) {
        if !self.quiet {
            ui.talk(excluded_dependents::text(left_out, program, self.verbose));
        }
    }

    fn happened(&mut self, event: &Event, ui: &mut Ui) {
        match &event.kind {
            EventKind::RunStarted { mode, actions } => self.run_started(*mode, *actions, ui),
            EventKind::Started { resource, .. } => {
                if let Some(progress) = &self.progress {
                    progress.started(resource);
                }
            }
            // One that is put back has been counted.
            EventKind::Finished { resource, verdict, .. } if !matches!(verdict, Verdict::PutBack(_)) => {
                if let Some(progress) = &self.progress {
                    progress.finished(resource);
                }
            }
            EventKind::Retrying { resource, failure, tried, after } => {
                self.note_wait(event, resource, &failure.message);
                self.print(self.retrying(resource, failure, *tried, *after, ui), ui);
            }
            EventKind::Waiting { resource, reason, after } => {
                self.note_wait(event, resource, reason);
                self.print(self.waiting(resource, *after), ui);
            }
            _ => {}
        }
    }

    fn shows(&self, event: &Event) -> bool {
        match &event.kind {
            EventKind::Finished { verdict, .. } => !is_left_out(verdict, self.quiet, self.verbose),
            EventKind::Message { .. } => true,
            _ => false,
        }
    }

    fn event(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        match &event.kind {
            EventKind::RunStarted { actions, .. } => {
                self.unselected = scene.actions().map_or(0, |all| all.saturating_sub(*actions));
            }
            EventKind::Merged { .. } => self.histories.record(event),
            EventKind::Message { resource, level, text } => {
                self.print(self.message(resource, *level, text, ui), ui);
            }
            EventKind::Finished { .. } => self.finished(event, scene, ui),
            EventKind::Output { name, value } => {
                let to = self.output(name, value, scene, ui);
                self.print(to, ui);
            }
            EventKind::OutputLeftOut { name } if self.verbose => {
                let text = format!(
                    "note: output {name} is not shown, because it reads a resource that is not selected\n"
                );
                self.print(To::Talk(text), ui);
            }
            EventKind::RunFinished(summary) => self.run_finished(summary, event.at, ui),
            _ => {}
        }
    }

    fn valid(&mut self, program: &Program, ui: &mut Ui) {
        if !self.quiet {
            ui.data(format_args!("{}\n", valid(program)));
        }
    }

    fn error(&mut self, error: &CliError, ui: &mut Ui) {
        show_error(error, ui);
    }
}

/// A whole value, with placeholders for secrets and unknown parts.
pub(super) fn shown(value: &Value, mode: Mode) -> String {
    match value.first_unknown() {
        // During an apply, a value that is still unknown will not become known.
        Some(unknown) if mode == Mode::Apply => format!("(unknown: {})", clean(&unknown.waits_for)),
        Some(unknown) if !value.is_sensitive() => known_later(value, &unknown.waits_for),
        _ => clean(&value.to_string()).into_owned(),
    }
}

/// `The configuration is valid: 3 resources.`
pub(crate) fn valid(program: &Program) -> String {
    format!("The configuration is valid: {}.", count(program.set().len(), "resource"))
}
