//! What happens, for programs: `docs/json.md` is the promise.

use std::time::{Duration, SystemTime};

use uphold::model::{Diagnostic, Diagnostics, Severity, Sources, Value};
use uphold::resource::Level;
use uphold::{Event, EventKind, Failure, Mode, Program, Skip, Summary, Verdict};

use super::heading::Heading;
use super::human;
use super::json_line::{Importance, JsonLine};
use super::reporter::{Report, Scene};
use super::{summary, wire};
use crate::diagnostics::{sorted, tally};
use crate::error::CliError;
use crate::lines::Lines;
use crate::ui::Ui;

/// The version of the stream: the minor number grows when something is added, the major number
/// when something that was there changes or goes.
const FORMAT_VERSION: &str = "1.1";

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Prints one JSON object a line; the last one is always `run_finished`.
pub(crate) struct Json {
    began: SystemTime,
    mode: Mode,
    /// The sentence about errors that forbid the run.
    refusal: String,
}

impl Json {
    /// A stream that begins now.
    pub(crate) fn new(now: SystemTime) -> Self {
        Self { began: now, mode: Mode::Plan, refusal: String::new() }
    }

    fn line(&self, kind: &str, level: Importance, message: &str, at: Duration) -> JsonLine {
        JsonLine::new(kind, level, message, self.began + at)
    }

    fn diagnostic(&self, diagnostic: &Diagnostic, lines: &mut Lines<'_>, ui: &mut Ui) {
        let level = match diagnostic.severity {
            Severity::Error => Importance::Error,
            Severity::Warning => Importance::Warn,
        };
        let message = format!("{}: {}", diagnostic.summary, diagnostic.detail);
        let line = self.line("diagnostic", level, &message, Duration::ZERO);
        line.with("diagnostic", wire::diagnostic(diagnostic, lines)).write(ui);
    }

    fn finished(&self, event: &Event, scene: &mut Scene<'_>) -> Option<JsonLine> {
        let EventKind::Finished { resource, action, verdict, took } = &event.kind else { return None };
        let message = Heading::of(verdict, action).message(resource);
        let level = match verdict {
            Verdict::Failed(_) => Importance::Error,
            Verdict::Skipped(_) => Importance::Warn,
            _ => Importance::Info,
        };
        let place = scene.place(resource).map(|place| wire::place(place, scene.lines()));
        let line = self
            .line("resource_finished", level, &message, event.at)
            .with("resource", wire::resource(resource))
            .with("action", action.to_string())
            .with("place", place)
            .with("verdict", verdict_name(verdict));
        let took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        Some(because(line, verdict, scene.lines()).with("took_ms", took))
    }

    /// A value is there, in part or as a whole unknown or secret, or it could not be had.
    fn output(
        &self,
        name: &str,
        value: &Result<Value, Box<Failure>>,
        at: Duration,
        lines: &mut Lines<'_>,
    ) -> JsonLine {
        let (level, message) = match value {
            Ok(value) => (Importance::Info, format!("{name} = {value}")),
            Err(failure) => (Importance::Error, format!("output {name}: {}", failure.message)),
        };
        let line = self.line("output", level, &message, at).with("name", name);
        match value {
            Ok(value) => line
                .with("value", wire::value(value))
                .with("sensitive", value.is_sensitive())
                .with("unknown", value.is_unknown())
                .with("waits_for", wire::waits_for(value)),
            Err(failure) => line.with("failure", wire::failure(failure, lines)),
        }
    }

    fn run_finished(&self, summary: &Summary, sentence: &str, error: bool, at: Duration) -> JsonLine {
        let level = if error { Importance::Error } else { Importance::Info };
        self.line("run_finished", level, sentence, at)
            .with("summary", wire::summary(summary))
            .with("error", error)
    }

    fn no_run(&self, sentence: &str, error: bool, ui: &mut Ui) {
        self.run_finished(&Summary::default(), sentence, error, Duration::ZERO).write(ui);
    }
}

/// The data of a verdict.
fn because(line: JsonLine, verdict: &Verdict, lines: &mut Lines<'_>) -> JsonLine {
    match verdict {
        Verdict::Unchanged | Verdict::NotWanted => line,
        Verdict::Changed(change) | Verdict::WouldChange(change) => line.with("change", wire::change(change)),
        Verdict::MayChange { waits_for, because } => {
            let line = line.with("waits_for", &**waits_for);
            match because {
                Some(failure) => line.with("failure", wire::failure(failure, lines)),
                None => line,
            }
        }
        Verdict::Failed(failure) => line.with("failure", wire::failure(failure, lines)),
        Verdict::Skipped(Skip::FailedBefore(root)) => line.with("skipped_because", wire::resource(root)),
        Verdict::Skipped(Skip::Stopped) => line.with("stopped", true),
    }
}

fn verdict_name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Unchanged => "unchanged",
        Verdict::Changed(_) => "changed",
        Verdict::WouldChange(_) => "would_change",
        Verdict::MayChange { .. } => "may_change",
        Verdict::Failed(_) => "failed",
        Verdict::Skipped(_) => "skipped",
        Verdict::NotWanted => "not_wanted",
    }
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Plan => "plan",
        Mode::Apply => "apply",
    }
}

fn importance(level: Level) -> Importance {
    match level {
        Level::Debug => Importance::Debug,
        Level::Info => Importance::Info,
        Level::Warning => Importance::Warn,
    }
}

impl Report for Json {
    fn begin(&mut self, ui: &mut Ui) {
        self.line("version", Importance::Info, &format!("Uphold {VERSION}"), Duration::ZERO)
            .with("format_version", FORMAT_VERSION)
            .with("uphold", VERSION)
            .write(ui);
    }

    fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui) {
        let mut lines = Lines::new(sources);
        for diagnostic in sorted(diagnostics) {
            self.diagnostic(diagnostic, &mut lines, ui);
        }
        self.refusal = tally(diagnostics);
    }

    fn event(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        let line = match &event.kind {
            EventKind::RunStarted { mode, actions } => {
                self.mode = *mode;
                let message = format!("{} of {actions} actions", mode_name(*mode));
                let line = self.line("run_started", Importance::Info, &message, event.at);
                Some(line.with("mode", mode_name(*mode)).with("actions", *actions))
            }
            EventKind::Started { resource, action } => {
                let message = format!("{resource}: {action}");
                let line = self.line("resource_started", Importance::Debug, &message, event.at);
                Some(line.with("resource", wire::resource(resource)).with("action", action.to_string()))
            }
            EventKind::Message { resource, level, text } => {
                let line = self.line("message", importance(*level), text, event.at);
                Some(line.with("resource", wire::resource(resource)).with("text", &**text))
            }
            EventKind::Finished { .. } => self.finished(event, scene),
            EventKind::Output { name, value } => Some(self.output(name, value, event.at, scene.lines())),
            EventKind::RunFinished(summary) => {
                let sentence = summary::sentence(summary, self.mode, event.at);
                Some(self.run_finished(summary, &sentence, !summary.is_success(), event.at))
            }
            _ => None,
        };
        line.into_iter().for_each(|line| line.write(ui));
        if self.mode == Mode::Apply {
            ui.flush();
        }
    }

    fn valid(&mut self, program: &Program, ui: &mut Ui) {
        self.no_run(&human::valid(program), false, ui);
    }

    fn refused(&mut self, ui: &mut Ui) {
        self.no_run(&self.refusal, true, ui);
    }

    fn error(&mut self, error: &CliError, ui: &mut Ui) {
        let line = self.line("diagnostic", Importance::Error, &error.message, Duration::ZERO);
        line.with("diagnostic", wire::error(error)).write(ui);
        self.no_run(&format!("{}; nothing was touched", error.message), true, ui);
    }
}
