//! A run, written down: `docs/reports.md` is the promise.

use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::{Map, Value as Json, json};
use uphold::model::{Diagnostics, ResourceId, Sources};
use uphold::resource::{Host, Level};
use uphold::{Event, EventKind, Mode, Summary};

use super::course::{Course, Courses, Retried, Waited};
use super::heading::Heading;
use super::json_line::timestamp;
use super::outcome::Fields;
use super::reporter::Scene;
use super::span::milliseconds;
use super::{outcome, summary, wire};
use crate::diagnostics::sorted;
use crate::error::CliError;
use crate::lines::Lines;

/// The version of the document: the minor number grows when something is added, the major number
/// when something that was there changes or goes.
const FORMAT_VERSION: &str = "1.0";

/// Notes everything that the events carry, as one JSON document. Secrets are hidden as in the stream.
pub(crate) struct Record {
    began: SystemTime,
    mode: Mode,
    audit: bool,
    /// What is known of the run as a whole.
    run: Map<String, Json>,
    diagnostics: Vec<Json>,
    records: Vec<Json>,
    batches: Vec<Json>,
    outputs: Vec<Json>,
    courses: Courses,
}

impl Record {
    /// The record of a run on this host that begins now. Until it ends well, it counts as failed.
    pub(crate) fn new(host: &dyn Host, mode: Mode, audit: bool, root: Option<&Path>) -> Self {
        let began = host.clock().now();
        let name = host.facts().fact("hostname").as_ref().map_or(Json::Null, wire::value);
        let run = fields(vec![
            ("mode", outcome::mode(mode).into()),
            ("audit", audit.into()),
            ("host", name),
            ("root", root.map(|root| root.display().to_string()).into()),
            ("started_at", timestamp(began).into()),
            ("took_ms", 0.into()),
            ("actions", 0.into()),
            ("summary", wire::summary(&Summary::default())),
            ("error", true.into()),
            ("message", Json::Null),
        ]);
        let (diagnostics, records, batches, outputs) = Default::default();
        Self { began, mode, audit, run, diagnostics, records, batches, outputs, courses: Courses::default() }
    }

    /// The configuration was read and checked.
    pub(crate) fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources) {
        let mut lines = Lines::new(sources);
        let told = sorted(diagnostics);
        self.diagnostics.extend(told.into_iter().map(|diagnostic| wire::diagnostic(diagnostic, &mut lines)));
    }

    /// There is no run, because of this.
    pub(crate) fn error(&mut self, error: &CliError) {
        self.diagnostics.push(wire::error(error));
    }

    /// Something happened. A second run, after a plan that was only shown, replaces the first.
    pub(crate) fn event(&mut self, event: &Event, scene: &mut Scene<'_>) {
        self.courses.note(event);
        match &event.kind {
            EventKind::RunStarted { mode, actions } => self.run_started(*mode, *actions, event.at),
            EventKind::Merged { resources } => {
                self.batches.push(resources.iter().map(ToString::to_string).collect());
            }
            EventKind::Finished { .. } => self.finished(event, scene),
            EventKind::Output { name, value } => {
                self.outputs.push(Json::Object(fields(outcome::output(name, value, scene.lines()))));
            }
            EventKind::RunFinished(summary) => self.run_finished(summary, event.at),
            _ => {}
        }
    }

    fn run_started(&mut self, mode: Mode, actions: usize, at: Duration) {
        self.mode = mode;
        self.courses = Courses::default();
        self.records.clear();
        self.batches.clear();
        self.outputs.clear();
        self.run.extend(fields(vec![
            ("mode", outcome::mode(mode).into()),
            ("actions", actions.into()),
            ("started_at", timestamp(self.began + at).into()),
        ]));
    }

    fn finished(&mut self, event: &Event, scene: &mut Scene<'_>) {
        let EventKind::Finished { resource, action, cause, verdict, took } = &event.kind else { return };
        let course = self.courses.take(resource);
        let mut record = fields(vec![
            ("resource", wire::resource(resource)),
            ("action", action.to_string().into()),
            ("cause", outcome::cause(cause)),
            ("place", place(resource, scene)),
            ("message", Heading::of(verdict, action, cause).message(resource).into()),
            ("took_ms", milliseconds(*took).into()),
        ]);
        record.extend(fields(outcome::verdict(verdict, scene.lines())));
        record.extend(fields(of_course(&course, scene.lines())));
        self.records.push(Json::Object(record));
    }

    fn run_finished(&mut self, summary: &Summary, at: Duration) {
        self.run.extend(fields(vec![
            ("took_ms", milliseconds(at).into()),
            ("summary", wire::summary(summary)),
            ("error", (!summary.is_success()).into()),
            ("message", summary::sentence(summary, self.mode, self.audit, at).into()),
        ]));
    }

    /// All of it.
    pub(crate) fn document(self) -> Json {
        json!({
            "format_version": FORMAT_VERSION,
            "uphold": env!("CARGO_PKG_VERSION"),
            "run": self.run,
            "diagnostics": self.diagnostics,
            "records": self.records,
            "batches": self.batches,
            "outputs": self.outputs,
        })
    }
}

fn fields(fields: Fields) -> Map<String, Json> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn place(resource: &ResourceId, scene: &mut Scene<'_>) -> Json {
    scene.place(resource).map_or(Json::Null, |place| wire::place(place, scene.lines()))
}

/// What an action went through.
fn of_course(course: &Course, lines: &mut Lines<'_>) -> Fields {
    let retry = |retried: &Retried| json!({ "failure": wire::failure(&retried.failure, lines), "after_ms": milliseconds(retried.after) });
    let retries: Vec<Json> = course.retries.iter().map(retry).collect();
    let wait = |waited: &Waited| json!({ "reason": waited.reason, "looks": waited.looks, "waited_ms": milliseconds(waited.span) });
    let waits: Vec<Json> = course.waits.iter().map(wait).collect();
    let message = |(level, text): &(Level, String)| json!({ "level": level_name(*level), "text": text });
    let messages: Vec<Json> = course.messages.iter().map(message).collect();
    vec![
        ("began_ms", course.began.map(milliseconds).into()),
        ("tries", course.tries().into()),
        ("retries", retries.into()),
        ("waited_ms", milliseconds(course.waited()).into()),
        ("waits", waits.into()),
        ("batch", course.merged.as_ref().map(|batch| batch.number).into()),
        ("messages", messages.into()),
    ]
}

fn level_name(level: Level) -> &'static str {
    match level {
        Level::Debug => "debug",
        Level::Info => "info",
        Level::Warning => "warn",
    }
}
