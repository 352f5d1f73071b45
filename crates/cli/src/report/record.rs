//! A run, written down: `docs/reports.md` is the promise.

use std::path::Path;
use std::time::{Duration, SystemTime};

use uphold::model::{Diagnostics, Sources, Value};
use uphold::resource::{Level, Reading};
use uphold::{Event, EventKind, Lines, Mode, Summary, sorted};
use uphold_wire::Format;
use uphold_wire::report as wire;
use uphold_wire::stream::Level as Importance;

use super::course::{Courses, Retried, Waited};
use super::heading::Heading;
use super::reporter::Scene;
use super::span::milliseconds;
use super::wire::{summary as wire_summary, timestamp};
use super::{outcome, summary};
use crate::error::CliError;

/// Notes everything that the events carry, as one JSON document. Secrets are hidden as in the stream.
pub(crate) struct Record {
    began: SystemTime,
    mode: Mode,
    audit: bool,
    report: wire::Report,
    courses: Courses,
}

impl Record {
    /// The record of a run on this host that begins now. Until it ends well, it counts as failed.
    pub(crate) fn new(host: &Reading<'_>, mode: Mode, audit: bool, root: Option<&Path>) -> Self {
        let began = host.clock().now();
        let run = wire::Run {
            mode: outcome::mode(mode).into(),
            audit,
            host: match host.facts().fact("hostname") {
                Ok(Value::Text(name)) => Some(name.to_string()),
                _ => None,
            },
            root: root.map(|root| root.display().to_string()),
            started_at: timestamp(began),
            took_ms: 0,
            actions: 0,
            summary: wire_summary(&Summary::default()),
            error: true,
            message: None,
        };
        let (diagnostics, records, batches, outputs) = Default::default();
        let (format_version, uphold) = (wire::Report::VERSION, env!("CARGO_PKG_VERSION").into());
        let report = wire::Report { format_version, uphold, run, diagnostics, records, batches, outputs };
        Self { began, mode, audit, report, courses: Courses::default() }
    }

    /// The configuration was read and checked.
    pub(crate) fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources) {
        let mut lines = Lines::new(sources);
        let told = sorted(diagnostics);
        let told = told.into_iter().map(|one| super::wire::diagnostic(one, &mut lines));
        self.report.diagnostics.extend(told);
    }

    /// There is no run, because of this.
    pub(crate) fn error(&mut self, error: &CliError) {
        self.report.diagnostics.push(super::wire::error(error));
    }

    /// Something happened. A second run, after a plan that was only shown, replaces the first.
    pub(crate) fn event(&mut self, event: &Event, scene: &mut Scene<'_>) {
        self.courses.note(event);
        match &event.kind {
            EventKind::RunStarted { mode, actions } => self.run_started(*mode, *actions, event.at),
            EventKind::Merged { resources } => {
                self.report.batches.push(resources.iter().map(ToString::to_string).collect());
            }
            EventKind::Finished { .. } => self.finished(event, scene),
            EventKind::Output { name, value } => {
                self.report.outputs.push(outcome::output(name, value, scene.lines()));
            }
            EventKind::RunFinished(summary) => self.run_finished(summary, event.at),
            _ => {}
        }
    }

    fn run_started(&mut self, mode: Mode, actions: usize, at: Duration) {
        self.mode = mode;
        self.courses = Courses::default();
        self.report.records.clear();
        self.report.batches.clear();
        self.report.outputs.clear();
        let run = &mut self.report.run;
        (run.mode, run.actions) = (outcome::mode(mode).into(), actions);
        run.started_at = timestamp(self.began + at);
    }

    fn finished(&mut self, event: &Event, scene: &mut Scene<'_>) {
        let EventKind::Finished { resource, action, cause, verdict, took } = &event.kind else { return };
        let course = self.courses.take(resource);
        self.report.records.push(wire::Record {
            resource: resource.into(),
            action: action.to_string(),
            cause: outcome::cause(cause),
            place: scene.place(resource).map(|place| super::wire::place(place, scene.lines())),
            message: Heading::of(verdict, action, cause).message(resource),
            took_ms: milliseconds(*took),
            verdict: outcome::verdict(verdict, scene.lines()),
            began_ms: course.began.map(milliseconds),
            tries: course.tries(),
            retries: course.retries.iter().map(|one| retry(one, scene.lines())).collect(),
            waited_ms: milliseconds(course.waited()),
            waits: course.waits.iter().map(wait).collect(),
            batch: course.merged.as_ref().map(|batch| batch.number),
            messages: course.messages.iter().map(message).collect(),
        });
    }

    fn run_finished(&mut self, summary: &Summary, at: Duration) {
        let run = &mut self.report.run;
        (run.took_ms, run.summary) = (milliseconds(at), wire_summary(summary));
        run.error = !summary.is_success();
        run.message = Some(summary::sentence(summary, self.mode, self.audit, at));
    }

    /// All of it.
    pub(crate) fn document(self) -> wire::Report {
        self.report
    }
}

fn retry(retried: &Retried, lines: &mut Lines<'_>) -> wire::Retry {
    let after_ms = milliseconds(retried.after);
    wire::Retry { failure: super::wire::failure(&retried.failure, lines), after_ms }
}

fn wait(waited: &Waited) -> wire::Wait {
    let Waited { reason, looks, span } = waited;
    wire::Wait { reason: reason.clone(), looks: *looks, waited_ms: milliseconds(*span) }
}

fn message((level, text): &(Level, String)) -> wire::Message {
    let level = match level {
        Level::Debug => Importance::Debug,
        Level::Info => Importance::Info,
        Level::Warning => Importance::Warn,
    };
    wire::Message { level, text: text.clone() }
}
