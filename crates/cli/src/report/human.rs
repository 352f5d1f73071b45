//! What happens, for people.

use std::time::Duration;

use uphold::model::{Diagnostics, ResourceId, Sources, Value};
use uphold::resource::{Level, Stop};
use uphold::{Event, EventKind, Failure, Gauge, Mode, Program, Summary, Verdict};

use super::course::Courses;
use super::finish::Finish;
use super::progress::Progress;
use super::property::{Properties, known_later};
use super::reporter::{Report, Scene};
use super::slowest::Slowest;
use super::trouble::{self, Weight, indented, show_error};
use super::{span, summary};
use crate::args::Flags;
use crate::diagnostics::{self, count};
use crate::error::CliError;
use crate::paint::{Paint, clean};
use crate::ui::Ui;

/// After a run that took this long, people want to know where the time went.
const LONG: Duration = Duration::from_secs(10);

/// A wait is told to whoever sees no progress when it has taken this long.
const LONG_WAIT: Duration = Duration::from_secs(5);

/// So many lines about what was skipped are read; the rest is a number.
const MOST_SKIPPED: usize = 20;

/// Prints what people want to see: changes to standard output, what went wrong to standard error.
pub(crate) struct Human {
    quiet: bool,
    verbose: bool,
    audit: bool,
    stop: Stop,
    mode: Mode,
    gauge: Gauge,
    progress: Option<Progress>,
    courses: Courses,
    slowest: Slowest,
    /// How many were skipped so far.
    skipped: usize,
    /// Whether an output was shown.
    has_outputs: bool,
}

/// Where a text goes.
pub(crate) enum To {
    Data(String),
    Talk(String),
    Nowhere,
}

impl Human {
    /// As the flags ask.
    pub(crate) fn new(flags: &Flags, audit: bool, stop: &Stop) -> Self {
        Self {
            quiet: flags.quiet,
            verbose: flags.verbose,
            audit,
            stop: stop.clone(),
            mode: Mode::Plan,
            gauge: Gauge::default(),
            progress: None,
            courses: Courses::default(),
            slowest: Slowest::default(),
            skipped: 0,
            has_outputs: false,
        }
    }

    /// The same; the progress tells how far transfers are.
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
                let properties =
                    Properties { paint: Paint::new(ui.is_talk_coloured()), verbose: self.verbose };
                let name = format!("output {name}");
                To::Talk(trouble::failure(Weight::Error, &name, failure, at.as_deref(), &properties))
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
            Level::Warning => To::Talk(trouble::warning(&name, text, Paint::new(ui.is_talk_coloured()))),
            Level::Debug if !self.verbose => To::Nowhere,
            _ => To::Data(format!("  {}: {}\n", clean(&name), indented(text))),
        }
    }

    /// It failed, and there will be another try.
    fn retrying(&self, resource: &ResourceId, failure: &Failure, tried: u32, after: Duration, ui: &Ui) -> To {
        if self.quiet {
            return To::Nowhere;
        }
        let text = format!("try {tried} failed, the next is in {}: {}", span::words(after), failure.message);
        To::Talk(trouble::warning(&resource.to_string(), &text, Paint::new(ui.is_talk_coloured())))
    }

    /// Once for each reason, to those who asked for it; to others if nothing else shows that it goes on.
    fn waiting(&self, resource: &ResourceId, after: Duration) -> To {
        let Some(wait) = self.courses.get(resource).and_then(|course| course.waits.last()) else {
            return To::Nowhere;
        };
        let is_long = wait.span >= LONG_WAIT && wait.span.saturating_sub(after) < LONG_WAIT;
        let is_told = match self.verbose {
            true => wait.looks == 1,
            false => self.progress.is_none() && is_long,
        };
        match is_told && !self.quiet {
            true => {
                To::Talk(format!("  {}: waits: {}\n", clean(&resource.to_string()), indented(&wait.reason)))
            }
            false => To::Nowhere,
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
            Some(progress) => progress.aside(write),
            None => write(),
        }
    }

    fn run_started(&mut self, mode: Mode, actions: usize, ui: &Ui) {
        self.mode = mode;
        self.has_outputs = false;
        self.skipped = 0;
        let watched = ui.is_talk_terminal() && !self.quiet;
        self.progress = watched.then(|| Progress::new(actions, self.stop.clone(), self.gauge.clone()));
    }

    fn finished(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        let EventKind::Finished { resource, action, cause, verdict, took } = &event.kind else { return };
        self.progress.iter().for_each(|progress| progress.finished(resource));
        self.slowest.note(resource, action, *took);
        let course = self.courses.take(resource);
        self.skipped += usize::from(matches!(verdict, Verdict::Skipped(_)));
        if self.skipped > self.most_skipped() && matches!(verdict, Verdict::Skipped(_)) {
            return;
        }
        let timed = (self.mode == Mode::Apply).then_some(*took);
        let finish = Finish { resource, action, cause, verdict, took: timed, course: &course };
        let to = finish.shown(self.quiet, self.verbose, scene, ui);
        self.print(to, ui);
    }

    /// Who asked for everything gets everything.
    fn most_skipped(&self) -> usize {
        if self.verbose { usize::MAX } else { MOST_SKIPPED }
    }

    fn run_finished(&mut self, summary: &Summary, at: Duration, ui: &mut Ui) {
        self.progress.take().into_iter().for_each(Progress::end);
        let untold = self.skipped.saturating_sub(self.most_skipped());
        if untold > 0 {
            ui.talk(format_args!("  . {untold} more were skipped; -v and --report list them all\n"));
        }
        let slowest = std::mem::take(&mut self.slowest);
        if self.quiet {
            return;
        }
        if self.mode == Mode::Apply && (self.verbose || at >= LONG) {
            ui.data(slowest.text());
        }
        let gap = if summary.changed + summary.differ == 0 && !self.has_outputs { "" } else { "\n" };
        ui.data(format_args!("{gap}{}\n", summary::sentence(summary, self.mode, self.audit, at)));
        ui.flush();
    }
}

impl Report for Human {
    fn begin(&mut self, _: &mut Ui) {}

    fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui) {
        diagnostics::show(diagnostics, sources, !self.quiet, ui);
    }

    fn event(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        match &event.kind {
            EventKind::RunStarted { mode, actions } => self.run_started(*mode, *actions, ui),
            EventKind::Started { resource, .. } => {
                self.progress.iter().for_each(|progress| progress.started(resource));
            }
            EventKind::Retrying { resource, failure, tried, after } => {
                self.courses.note(event);
                self.progress.iter().for_each(|progress| progress.waits(resource, &failure.message));
                self.print(self.retrying(resource, failure, *tried, *after, ui), ui);
            }
            EventKind::Waiting { resource, reason, after } => {
                self.courses.note(event);
                self.progress.iter().for_each(|progress| progress.waits(resource, reason));
                self.print(self.waiting(resource, *after), ui);
            }
            EventKind::Merged { .. } => self.courses.note(event),
            EventKind::Message { resource, level, text } => {
                self.print(self.message(resource, *level, text, ui), ui);
            }
            EventKind::Finished { .. } => self.finished(event, scene, ui),
            EventKind::Output { name, value } => {
                let to = self.output(name, value, scene, ui);
                self.print(to, ui);
            }
            EventKind::OutputLeftOut { name } if self.verbose => {
                let text =
                    format!("note: output {name} is left out: it reads a resource that is not selected\n");
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

/// The whole of a value, as far as it is known and no secret.
pub(super) fn shown(value: &Value, mode: Mode) -> String {
    match value.first_unknown() {
        // An apply knows what can be known: its unknown values say why they are so.
        Some(unknown) if mode == Mode::Apply => format!("(unknown: {})", clean(&unknown.waits_for)),
        Some(unknown) if !value.is_sensitive() => known_later(value, &unknown.waits_for),
        _ => clean(&value.to_string()).into_owned(),
    }
}

/// `The configuration is valid: 3 resources.`
pub(crate) fn valid(program: &Program) -> String {
    format!("The configuration is valid: {}.", count(program.set().len(), "resource"))
}
