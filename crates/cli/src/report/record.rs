//! The reports of `--report`: `docs/reports.md` specifies them.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use uphold::journal::LeftResource;
use uphold::model::{Diagnostics, Sources, Value};
use uphold::resource::{EntryKind, Files, Reading};
use uphold::{Event, EventKind, LeftOut, Lines, LocalHost, Mode, Program, Summary, sorted};
use uphold_wire::{Format, report as wire};

use super::action_history::{ActionHistories, Retried, Waited};
use super::heading::Heading;
use super::junit;
use super::reporter::{Report, Scene};
use super::summary::RunShape;
use super::wire::{self as convert, timestamp};
use crate::text_files::absolute;
use crate::time_text::milliseconds;
use crate::{CliError, HintCommand, Ui};

/// Collects a run into one JSON document. Secrets are hidden as in the stream.
pub(crate) struct Record {
    began: SystemTime,
    shape: RunShape,
    report: wire::Report,
    histories: ActionHistories,
}

impl Record {
    /// The record of a run that begins now. Until the run succeeds, it counts as failed.
    pub(crate) fn new(host: &Reading<'_>, mode: Mode, audit: bool, root: Option<&Path>) -> Self {
        let began = host.clock().now();
        let run = wire::Run {
            mode: convert::mode(mode).into(),
            audit,
            host: match host.facts().fact("hostname") {
                Ok(Value::Text(name)) => Some(name.to_string()),
                _ => None,
            },
            root: root.map(|root| root.display().to_string()),
            started_at: timestamp(began),
            duration_ms: 0,
            actions: 0,
            summary: convert::summary(&Summary::default()),
            error: true,
            message: None,
        };
        let (diagnostics, records, batches, outputs, no_longer_declared) = Default::default();
        let (format_version, uphold) = (wire::Report::VERSION, env!("CARGO_PKG_VERSION").into());
        let report = wire::Report {
            format_version,
            uphold,
            run,
            diagnostics,
            records,
            batches,
            outputs,
            no_longer_declared,
        };
        let shape = RunShape { mode, audit, unselected: 0, conditions_shown: true };
        Self { began, shape, report, histories: ActionHistories::default() }
    }

    fn run_started(&mut self, mode: Mode, actions: usize, at: Duration) {
        self.shape.mode = mode;
        self.histories = ActionHistories::default();
        self.report.records.clear();
        self.report.batches.clear();
        self.report.outputs.clear();
        let run = &mut self.report.run;
        (run.mode, run.actions) = (convert::mode(mode).into(), actions);
        run.started_at = timestamp(self.began + at);
    }

    fn finished(&mut self, event: &Event, scene: &mut Scene<'_>) {
        let EventKind::Finished { resource, action, cause, verdict, took } = &event.kind else { return };
        let history = self.histories.take(resource);
        let messages = history.messages.iter();
        let messages =
            messages.map(|(level, text)| wire::Message { level: convert::level(*level), text: text.clone() });
        self.report.records.push(wire::Record {
            resource: resource.into(),
            action: action.to_string(),
            cause: convert::cause(cause),
            identity: scene.identity(resource),
            location: scene.place(resource).map(|place| convert::place(place, scene.lines())),
            message: Heading::of(verdict, action, cause, self.shape.mode).message(resource),
            duration_ms: milliseconds(*took),
            verdict: convert::verdict(verdict, scene.lines()),
            started_after_ms: history.began.map(milliseconds),
            attempts: history.attempts(),
            retries: history.retries.iter().map(|one| retry(one, scene.lines())).collect(),
            waited_ms: milliseconds(history.waited()),
            waits: history.waits.iter().map(wait).collect(),
            batch: history.merged.as_ref().map(|batch| batch.number),
            messages: messages.collect(),
        });
    }

    fn run_finished(&mut self, summary: &Summary, at: Duration) {
        let run = &mut self.report.run;
        (run.duration_ms, run.summary) = (milliseconds(at), convert::summary(summary));
        run.error = !summary.is_success();
        run.message = Some(self.shape.sentence(summary, at));
    }
}

impl Report for Record {
    fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources, _: &mut Ui) {
        let mut lines = Lines::new(sources);
        let all = sorted(diagnostics).into_iter().map(|one| convert::diagnostic(one, &mut lines));
        self.report.diagnostics.extend(all);
    }

    fn no_longer_declared(&mut self, left: &[LeftResource], _: &HintCommand, _: &mut Ui) {
        self.report.no_longer_declared = convert::left(left);
    }

    /// A second run, after a plan shown for confirmation, replaces the first.
    fn event(&mut self, event: &Event, scene: &mut Scene<'_>, _: &mut Ui) {
        self.histories.record(event);
        match &event.kind {
            EventKind::RunStarted { mode, actions } => {
                self.shape.unselected = scene.actions().map_or(0, |all| all.saturating_sub(*actions));
                self.run_started(*mode, *actions, event.at);
            }
            EventKind::Merged { resources } => {
                self.report.batches.push(resources.iter().map(ToString::to_string).collect());
            }
            EventKind::Finished { .. } => self.finished(event, scene),
            EventKind::Output { name, value } => {
                self.report.outputs.push(convert::output(name, value, scene.lines()));
            }
            EventKind::RunFinished(summary) => self.run_finished(summary, event.at),
            _ => {}
        }
    }

    fn error(&mut self, error: &CliError, _: &mut Ui) {
        self.report.diagnostics.push(convert::error(error));
    }
}

fn retry(retried: &Retried, lines: &mut Lines<'_>) -> wire::Retry {
    let after_ms = milliseconds(retried.after);
    wire::Retry { failure: convert::failure(&retried.failure, lines), after_ms }
}

fn wait(waited: &Waited) -> wire::Wait {
    let Waited { reason, looks, span } = waited;
    wire::Wait { reason: reason.clone(), checks: *looks, waited_ms: milliseconds(*span) }
}

/// A reporter, and the record for `--report`.
pub(crate) struct RecordingReport {
    shown: Box<dyn Report>,
    record: Option<Record>,
}

impl RecordingReport {
    pub(crate) fn new(shown: Box<dyn Report>) -> Self {
        Self { shown, record: None }
    }

    pub(crate) fn record(&mut self, record: Record) {
        self.record = Some(record);
    }

    fn both(&mut self) -> impl Iterator<Item = &mut dyn Report> {
        let record = self.record.as_mut().map(|record| record as &mut dyn Report);
        std::iter::once(&mut *self.shown as &mut dyn Report).chain(record)
    }

    /// Writes the record, if there is one, to these files; stops at the first error.
    pub(crate) fn write(self, paths: &[PathBuf]) -> Result<(), CliError> {
        let Some(record) = self.record else { return Ok(()) };
        paths.iter().try_for_each(|path| write(path, &record.report))
    }
}

impl Report for RecordingReport {
    fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui) {
        self.both().for_each(|report| report.diagnostics(diagnostics, sources, ui));
    }

    fn left_out(&mut self, left_out: &[LeftOut], program: &Program, ui: &mut Ui) {
        self.both().for_each(|report| report.left_out(left_out, program, ui));
    }

    fn no_longer_declared(&mut self, left: &[LeftResource], forget: &HintCommand, ui: &mut Ui) {
        self.both().for_each(|report| report.no_longer_declared(left, forget, ui));
    }

    fn happened(&mut self, event: &Event, ui: &mut Ui) {
        self.shown.happened(event, ui);
    }

    fn shows(&self, event: &Event) -> bool {
        self.record.is_some() || self.shown.shows(event)
    }

    fn event(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        self.both().for_each(|report| report.event(event, scene, ui));
    }

    fn error(&mut self, error: &CliError, ui: &mut Ui) {
        self.both().for_each(|report| report.error(error, ui));
    }
}

/// Checks before a run that a file can be written at its end: its directory exists, and it is a regular file or does not
/// exist. Links are not followed.
pub(crate) fn expect_writable(what: &str, path: &Path) -> Result<(), CliError> {
    let (host, place) = (LocalHost::new(), absolute(path)?);
    let message = |why: &str| CliError::new(format!("cannot write the {what} {}: {why}", path.display()));
    if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("hcl")) {
        return Err(message("*.hcl files are configuration").hint("use another extension"));
    }
    match host.look(&place)?.map(|entry| entry.kind) {
        None | Some(EntryKind::File) => {}
        Some(other) => return Err(message(&format!("it is {}", other.words())).hint("name a regular file")),
    }
    let parent = place.parent().unwrap_or(&place);
    match host.look(parent)?.map(|entry| entry.kind) {
        // Whether a link may be followed is decided when the file is written.
        Some(EntryKind::Directory | EntryKind::Link(_)) => Ok(()),
        _ => Err(message("its directory does not exist").hint(format!("mkdir -p {}", parent.display()))),
    }
}

/// Writes a report atomically, as JUnit if the file is named `*.xml`, otherwise as JSON. The file is always a new one
/// with mode 0600.
fn write(path: &Path, document: &wire::Report) -> Result<(), CliError> {
    let text = if is_junit(path) { junit::run_report(document) } else { uphold_wire::document(document) };
    let written = LocalHost::new().write_private(&absolute(path)?, text.as_bytes());
    written.map_err(|error| {
        let error = CliError::from(error.while_(format!("cannot write the report {}", path.display())));
        // The hint is that of a managed file: to declare its directory.
        CliError { hint: None, ..error }
    })
}

/// Whether a report is to be written as JUnit XML.
pub(crate) fn is_junit(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("xml"))
}
