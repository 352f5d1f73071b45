//! What happens, for programs: `docs/json.md` is the promise.

use std::time::{Duration, SystemTime};

use uphold::model::{Diagnostic, Diagnostics, ResourceId, Severity, Sources};
use uphold::resource::Level;
use uphold::{Event, EventKind, Mode, Program, Summary, Verdict};

use super::heading::Heading;
use super::human;
use super::json_line::{Importance, JsonLine};
use super::reporter::{Report, Scene};
use super::span::milliseconds;
use super::{outcome, summary, wire};
use crate::diagnostics::{sorted, tally};
use crate::error::CliError;
use crate::lines::Lines;
use crate::ui::Ui;

/// The version of the stream: the minor number grows when something is added, the major number
/// when something that was there changes or goes.
const FORMAT_VERSION: &str = "1.3";

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Prints one JSON object a line; the last one is always `run_finished`.
pub(crate) struct Json {
    began: SystemTime,
    mode: Mode,
    audit: bool,
    /// The sentence about errors that forbid the run.
    refusal: String,
}

impl Json {
    /// A stream that begins now.
    pub(crate) fn new(now: SystemTime, audit: bool) -> Self {
        Self { began: now, mode: Mode::Plan, audit, refusal: String::new() }
    }

    /// Lines are told from this time on.
    pub(super) fn set_clock(&mut self, began: SystemTime) {
        self.began = began;
    }

    pub(super) fn line(&self, kind: &str, level: Importance, message: &str, at: Duration) -> JsonLine {
        JsonLine::new(kind, level, message, self.began + at)
    }

    /// Each problem, in the order of the texts.
    pub(super) fn problems(
        &self,
        diagnostics: &Diagnostics,
        sources: &Sources,
        at: Duration,
    ) -> Vec<JsonLine> {
        let mut lines = Lines::new(sources);
        let problems = sorted(diagnostics).into_iter();
        problems.map(|problem| self.problem(problem, &mut lines, at)).collect()
    }

    fn problem(&self, diagnostic: &Diagnostic, lines: &mut Lines<'_>, at: Duration) -> JsonLine {
        let level = match diagnostic.severity {
            Severity::Error => Importance::Error,
            Severity::Warning => Importance::Warn,
        };
        let message = format!("{}: {}", diagnostic.summary, diagnostic.detail);
        let line = self.line("diagnostic", level, &message, at);
        line.with("diagnostic", wire::diagnostic(diagnostic, lines))
    }

    /// The line about what happened, if there is one.
    pub(super) fn told(&mut self, event: &Event, scene: &mut Scene<'_>) -> Option<JsonLine> {
        match &event.kind {
            EventKind::RunStarted { mode, actions } => Some(self.run_started(*mode, *actions, event.at)),
            EventKind::Started { .. } => self.started(event),
            EventKind::Retrying { .. } => self.retrying(event, scene.lines()),
            EventKind::Waiting { resource, reason, after } => {
                Some(self.waiting(resource, reason, *after, event.at))
            }
            EventKind::Merged { resources } => Some(self.merged(resources, event.at)),
            EventKind::Message { resource, level: importance, text } => {
                let line = self.line("message", level(*importance), text, event.at);
                Some(line.with("resource", wire::resource(resource)).with("text", &**text))
            }
            EventKind::Finished { .. } => self.finished(event, scene),
            EventKind::Output { .. } => self.output(event, scene.lines()),
            EventKind::RunFinished(summary) => {
                let sentence = summary::sentence(summary, self.mode, self.audit, event.at);
                Some(self.run_finished(summary, &sentence, !summary.is_success(), event.at))
            }
            _ => self.watched(event),
        }
    }

    fn run_started(&mut self, mode: Mode, actions: usize, at: Duration) -> JsonLine {
        self.mode = mode;
        let what = if self.audit { "audit" } else { outcome::mode(mode) };
        let line = self.line("run_started", Importance::Info, &format!("{what} of {actions} actions"), at);
        line.with("mode", outcome::mode(mode)).with("audit", self.audit).with("actions", actions)
    }

    fn started(&self, event: &Event) -> Option<JsonLine> {
        let EventKind::Started { resource, action, cause } = &event.kind else { return None };
        let message = format!("{resource}: {action}");
        let line = self.line("resource_started", Importance::Debug, &message, event.at);
        let line = line.with("resource", wire::resource(resource)).with("action", action.to_string());
        Some(line.with("cause", outcome::cause(cause)))
    }

    fn retrying(&self, event: &Event, lines: &mut Lines<'_>) -> Option<JsonLine> {
        let EventKind::Retrying { resource, failure, tried, after } = &event.kind else { return None };
        let message = format!("{resource}: try {tried} failed: {}", failure.message);
        let line = self.line("resource_retrying", Importance::Warn, &message, event.at);
        let line =
            line.with("resource", wire::resource(resource)).with("failure", wire::failure(failure, lines));
        Some(line.with("tried", *tried).with("after_ms", milliseconds(*after)))
    }

    fn waiting(&self, resource: &ResourceId, reason: &str, after: Duration, at: Duration) -> JsonLine {
        let message = format!("{resource}: waits: {reason}");
        let line = self.line("resource_waiting", Importance::Info, &message, at);
        let line = line.with("resource", wire::resource(resource)).with("reason", reason);
        line.with("after_ms", milliseconds(after))
    }

    fn merged(&self, resources: &[ResourceId], at: Duration) -> JsonLine {
        let message = format!("{} resources are changed in one batch", resources.len());
        let line = self.line("resources_merged", Importance::Info, &message, at);
        line.with("resources", resources.iter().map(wire::resource).collect::<Vec<_>>())
    }

    fn finished(&self, event: &Event, scene: &mut Scene<'_>) -> Option<JsonLine> {
        let EventKind::Finished { resource, action, cause, verdict, took } = &event.kind else { return None };
        let message = Heading::of(verdict, action, cause).message(resource);
        let place = scene.place(resource).map(|place| wire::place(place, scene.lines()));
        let line = self
            .line("resource_finished", importance(verdict), &message, event.at)
            .with("resource", wire::resource(resource))
            .with("action", action.to_string())
            .with("cause", outcome::cause(cause))
            .with("place", place);
        let line = line.with_all(outcome::verdict(verdict, scene.lines()));
        Some(line.with("took_ms", milliseconds(*took)))
    }

    fn output(&self, event: &Event, lines: &mut Lines<'_>) -> Option<JsonLine> {
        let EventKind::Output { name, value } = &event.kind else { return None };
        let (level, message) = match value {
            Ok(value) => (Importance::Info, format!("{name} = {value}")),
            Err(failure) => (Importance::Error, format!("output {name}: {}", failure.message)),
        };
        Some(self.line("output", level, &message, event.at).with_all(outcome::output(name, value, lines)))
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

fn importance(verdict: &Verdict) -> Importance {
    match verdict {
        Verdict::Failed(_) => Importance::Error,
        Verdict::Skipped(_) | Verdict::Ignored(_) | Verdict::Differs(_) => Importance::Warn,
        _ => Importance::Info,
    }
}

fn level(level: Level) -> Importance {
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
        let problems = self.problems(diagnostics, sources, Duration::ZERO);
        problems.into_iter().for_each(|line| line.write(ui));
        self.refusal = tally(diagnostics);
    }

    fn event(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        self.told(event, scene).into_iter().for_each(|line| line.write(ui));
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
