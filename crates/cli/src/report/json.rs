//! What happens, for programs: `docs/json.md` is the promise.

use std::time::{Duration, SystemTime};

use uphold::model::{Diagnostic, Diagnostics, Severity, Sources};
use uphold::resource::Level;
use uphold::{Event, EventKind, Lines, Mode, Program, Summary, Verdict, sorted};
use uphold_wire::stream::{self as wire, Level as Importance, Line};

use super::heading::Heading;
use super::human;
use super::reporter::{Report, Scene};
use super::span::milliseconds;
use super::wire::timestamp;
use super::{outcome, summary};
use crate::diagnostics::tally;
use crate::error::CliError;
use crate::ui::Ui;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Prints one JSON object a line; the last one is always `run_finished`.
pub(crate) struct Json {
    began: SystemTime,
    mode: Mode,
    audit: bool,
}

impl Json {
    /// A stream that begins now.
    pub(crate) fn new(now: SystemTime, audit: bool) -> Self {
        Self { began: now, mode: Mode::Plan, audit }
    }

    /// Lines are told from this time on.
    pub(super) fn set_clock(&mut self, began: SystemTime) {
        self.began = began;
    }

    pub(super) fn line(&self, level: Importance, message: &str, at: Duration, event: wire::Event) -> Line {
        Line { level, message: message.to_owned(), timestamp: timestamp(self.began + at), event }
    }

    /// Each problem, in the order of the texts.
    pub(super) fn problems(&self, diagnostics: &Diagnostics, sources: &Sources, at: Duration) -> Vec<Line> {
        let mut lines = Lines::new(sources);
        let problems = sorted(diagnostics).into_iter();
        problems.map(|problem| self.problem(problem, &mut lines, at)).collect()
    }

    fn problem(&self, diagnostic: &Diagnostic, lines: &mut Lines<'_>, at: Duration) -> Line {
        let level = match diagnostic.severity() {
            Severity::Error => Importance::Error,
            Severity::Warning => Importance::Warn,
        };
        let message = format!("{}: {}", diagnostic.summary(), diagnostic.detail);
        let diagnostic = super::wire::diagnostic(diagnostic, lines);
        self.line(level, &message, at, wire::Event::Diagnostic { diagnostic })
    }

    /// The line about what happened, if there is one.
    pub(super) fn told(&mut self, event: &Event, scene: &mut Scene<'_>) -> Option<Line> {
        let line = |level, message: &str, told| Some(self.line(level, message, event.at, told));
        match &event.kind {
            EventKind::RunStarted { mode, actions } => Some(self.run_started(*mode, *actions, event.at)),
            EventKind::Started { resource, action, cause } => line(
                Importance::Debug,
                &format!("{resource}: {action}"),
                wire::Event::ResourceStarted {
                    resource: resource.into(),
                    action: action.to_string(),
                    cause: outcome::cause(cause),
                },
            ),
            EventKind::Retrying { resource, failure, tried, after } => line(
                Importance::Warn,
                &format!("{resource}: try {tried} failed: {}", failure.message),
                wire::Event::ResourceRetrying {
                    resource: resource.into(),
                    failure: super::wire::failure(failure, scene.lines()),
                    tried: *tried,
                    after_ms: milliseconds(*after),
                },
            ),
            EventKind::Waiting { resource, reason, after } => line(
                Importance::Info,
                &format!("{resource}: waits: {reason}"),
                wire::Event::ResourceWaiting {
                    resource: resource.into(),
                    reason: reason.to_string(),
                    after_ms: milliseconds(*after),
                },
            ),
            EventKind::Merged { resources } => line(
                Importance::Info,
                &format!("{} resources are changed in one batch", resources.len()),
                wire::Event::ResourcesMerged { resources: resources.iter().map(Into::into).collect() },
            ),
            EventKind::Message { resource, level: importance, text } => {
                let told = wire::Event::Message { resource: resource.into(), text: text.clone() };
                line(level(*importance), text, told)
            }
            EventKind::Finished { .. } => self.finished(event, scene),
            EventKind::Output { name, value } => {
                let (level, message) = match value {
                    Ok(value) => (Importance::Info, format!("{name} = {}", human::shown(value, self.mode))),
                    Err(failure) => (Importance::Error, format!("output {name}: {}", failure.message)),
                };
                line(level, &message, wire::Event::Output(outcome::output(name, value, scene.lines())))
            }
            EventKind::RunFinished(summary) => {
                let sentence = summary::sentence(summary, self.mode, self.audit, event.at);
                Some(self.run_finished(summary, &sentence, !summary.is_success(), event.at))
            }
            _ => self.watched(event),
        }
    }

    fn run_started(&mut self, mode: Mode, actions: usize, at: Duration) -> Line {
        self.mode = mode;
        let what = if self.audit { "audit" } else { outcome::mode(mode) };
        let told = wire::Event::RunStarted { mode: outcome::mode(mode).into(), audit: self.audit, actions };
        self.line(Importance::Info, &format!("{what} of {actions} actions"), at, told)
    }

    fn finished(&self, event: &Event, scene: &mut Scene<'_>) -> Option<Line> {
        let EventKind::Finished { resource, action, cause, verdict, took } = &event.kind else { return None };
        let message = Heading::of(verdict, action, cause).message(resource);
        let finished = wire::Finished {
            resource: resource.into(),
            action: action.to_string(),
            cause: outcome::cause(cause),
            place: scene.place(resource).map(|place| super::wire::place(place, scene.lines())),
            verdict: outcome::verdict(verdict, scene.lines()),
            took_ms: milliseconds(*took),
        };
        let told = wire::Event::ResourceFinished(Box::new(finished));
        Some(self.line(importance(verdict), &message, event.at, told))
    }

    fn run_finished(&self, summary: &Summary, sentence: &str, error: bool, at: Duration) -> Line {
        let level = if error { Importance::Error } else { Importance::Info };
        let told = wire::Event::RunFinished { summary: super::wire::summary(summary), error };
        self.line(level, sentence, at, told)
    }

    fn no_run(&self, sentence: &str, error: bool, ui: &mut Ui) {
        ui.json_line(&self.run_finished(&Summary::default(), sentence, error, Duration::ZERO));
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
        let told = wire::Event::Version { format_version: wire::VERSION, uphold: VERSION.into() };
        ui.json_line(&self.line(Importance::Info, &format!("Uphold {VERSION}"), Duration::ZERO, told));
    }

    fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui) {
        let problems = self.problems(diagnostics, sources, Duration::ZERO);
        problems.iter().for_each(|line| ui.json_line(line));
        if diagnostics.has_errors() {
            self.no_run(&tally(diagnostics), true, ui);
        }
    }

    fn event(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        self.told(event, scene).iter().for_each(|line| ui.json_line(line));
        if self.mode == Mode::Apply {
            ui.flush();
        }
    }

    fn valid(&mut self, program: &Program, ui: &mut Ui) {
        self.no_run(&human::valid(program), false, ui);
    }

    fn error(&mut self, error: &CliError, ui: &mut Ui) {
        let told = wire::Event::Diagnostic { diagnostic: super::wire::error(error) };
        ui.json_line(&self.line(Importance::Error, &error.message, Duration::ZERO, told));
        self.no_run(&format!("{}; nothing was touched", error.message), true, ui);
    }
}
