//! Events as JSON lines, for programs: `docs/json.md` specifies them.

use std::time::SystemTime;

use uphold::journal::LeftResource;
use uphold::model::{Diagnostic, Diagnostics, Severity, Sources};
use uphold::{Event, EventKind, Lines, Mode, Program, ReloadTrigger, Summary, Verdict, sorted};
use uphold_wire::stream::{self as wire, Level as Importance, Line};

use super::heading::Heading;
use super::reporter::{Report, Scene};
use super::summary::RunShape;
use super::wire::{self as convert, timestamp};
use super::{human, left_resources, watch_text};
use crate::diagnostics::{count, tally};
use crate::time_text::milliseconds;
use crate::{CliError, HintCommand, Ui};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The level, message and data of a line.
type LineParts = (Importance, String, wire::Event);

/// Prints one JSON object per line; the last one is always `run_finished` or `watch_finished`.
pub(crate) struct Json {
    began: SystemTime,
    shape: RunShape,
}

impl Json {
    pub(crate) fn new(now: SystemTime, audit: bool) -> Self {
        Self {
            began: now,
            shape: RunShape { mode: Mode::Plan, audit, unselected: 0, conditions_shown: true },
        }
    }

    /// The line of an event at this time; none if it has no line.
    fn event_line(&mut self, event: &Event, scene: &mut Scene<'_>, time: SystemTime) -> Option<Line> {
        if let EventKind::RunStarted { mode, actions } = event.kind {
            let unselected = scene.actions().map_or(0, |all| all.saturating_sub(actions));
            self.shape = RunShape { mode, unselected, ..self.shape };
        }
        Some(line(time, self.run_event(event, scene).or_else(|| watch_event(event))?))
    }

    /// The line of an event of a watch. Actions that go on as before a reload are watched all the same.
    pub(crate) fn watch_line(
        &mut self,
        event: &Event,
        scene: &mut Scene<'_>,
        now: SystemTime,
    ) -> Option<Line> {
        let line = self.event_line(event, scene, now);
        self.shape.unselected = 0;
        line
    }

    fn run_event(&self, event: &Event, scene: &mut Scene<'_>) -> Option<LineParts> {
        Some(match &event.kind {
            EventKind::RunStarted { mode, actions } => {
                let (mode, audit, actions) = (convert::mode(*mode), self.shape.audit, *actions);
                let message =
                    format!("{} of {}", if audit { "audit" } else { mode }, count(actions, "action"));
                let mode = mode.into();
                (Importance::Info, message, wire::Event::RunStarted { mode, audit, actions })
            }
            EventKind::Started { resource, action, cause } => {
                let message = format!("{resource}: {action}");
                let (resource, action, cause) = (resource.into(), action.to_string(), convert::cause(cause));
                (Importance::Debug, message, wire::Event::ResourceStarted { resource, action, cause })
            }
            EventKind::Retrying { resource, failure, tried, after } => {
                let message = format!("{resource}: attempt {tried} failed: {}", failure.message);
                let (resource, attempts, after_ms) = (resource.into(), *tried, milliseconds(*after));
                let failure = convert::failure(failure, scene.lines());
                let event = wire::Event::ResourceRetrying { resource, failure, attempts, after_ms };
                (Importance::Warn, message, event)
            }
            EventKind::Waiting { resource, reason, after } => {
                let message = format!("{resource}: waiting: {reason}");
                let (resource, reason, after_ms) = (resource.into(), reason.clone(), milliseconds(*after));
                (Importance::Info, message, wire::Event::ResourceWaiting { resource, reason, after_ms })
            }
            EventKind::Merged { resources } => {
                let message = format!("{} resources are changed in one batch", resources.len());
                let resources = resources.iter().map(Into::into).collect();
                (Importance::Info, message, wire::Event::ResourcesBatched { resources })
            }
            EventKind::Message { resource, level, text } => {
                let (resource, message) = (resource.into(), text.clone());
                (convert::level(*level), message.clone(), wire::Event::Message { resource, text: message })
            }
            EventKind::Finished { .. } => finished(event, self.shape.mode, scene)?,
            EventKind::Output { name, value } => {
                let (level, message) = match value {
                    Ok(value) => {
                        (Importance::Info, format!("{name} = {}", human::shown(value, self.shape.mode)))
                    }
                    Err(failure) => (Importance::Error, format!("output {name}: {}", failure.message)),
                };
                (level, message, wire::Event::Output(convert::output(name, value, scene.lines())))
            }
            EventKind::RunFinished(summary) => {
                let sentence = self.shape.sentence(summary, event.at);
                run_finished(summary, sentence, !summary.is_success())
            }
            _ => return None,
        })
    }

    fn no_run(&self, sentence: String, error: bool, ui: &mut Ui) {
        ui.json_line(&line(self.began, run_finished(&Summary::default(), sentence, error)));
    }

    /// Lines about a reloaded configuration, and about its refusal if it is invalid.
    pub(crate) fn refusal(
        occasion: &ReloadTrigger,
        diagnostics: &Diagnostics,
        sources: &Sources,
        now: SystemTime,
    ) -> Vec<Line> {
        let mut lines = problems(diagnostics, sources, now);
        if diagnostics.has_errors() {
            lines.push(refused_because(occasion, &watch_text::refused(diagnostics), now));
        }
        lines
    }

    /// Lines about a configuration that cannot be read.
    pub(crate) fn unreadable(occasion: &ReloadTrigger, error: &CliError, now: SystemTime) -> Vec<Line> {
        vec![error_line(error, now), refused_because(occasion, watch_text::UNREADABLE, now)]
    }

    /// The line about a configuration that cannot be watched.
    pub(crate) fn blind(because: &str, now: SystemTime) -> Line {
        let message = format!("the configuration cannot be watched: {because}");
        let event = wire::Event::ConfigurationPolling { reason: because.to_owned() };
        line(now, (Importance::Warn, message, event))
    }

    /// The line about resources that are no longer declared.
    pub(crate) fn left(left: &[LeftResource], now: SystemTime) -> Line {
        let event = wire::Event::NoLongerDeclared { resources: convert::left(left) };
        line(now, (Importance::Warn, left_resources::sentence(left, usize::MAX), event))
    }

    /// The line that counts what was changed outside Uphold.
    pub(crate) fn drift(
        resources: usize,
        other: wire::OtherDifferences,
        since: Option<SystemTime>,
        sentence: String,
        now: SystemTime,
    ) -> Line {
        let level = if resources > 0 { Importance::Warn } else { Importance::Info };
        let event = wire::Event::Drift { resources, other, since: since.map(timestamp) };
        line(now, (level, sentence, event))
    }

    /// The last line of a watch.
    pub(crate) fn watch_finished(summary: &Summary, sentence: &str, now: SystemTime) -> Line {
        let error = !summary.is_success();
        let event = wire::Event::WatchFinished { summary: convert::summary(summary), error };
        line(now, (end_level(error), sentence.to_owned(), event))
    }
}

fn line(time: SystemTime, (level, message, event): LineParts) -> Line {
    Line { level, message, timestamp: timestamp(time), event }
}

fn problems(diagnostics: &Diagnostics, sources: &Sources, time: SystemTime) -> Vec<Line> {
    let mut lines = Lines::new(sources);
    let problem = |diagnostic: &Diagnostic| {
        let level = match diagnostic.severity() {
            Severity::Error => Importance::Error,
            Severity::Warning => Importance::Warn,
        };
        let message = format!("{}: {}", diagnostic.summary(), diagnostic.detail);
        let diagnostic = convert::diagnostic(diagnostic, &mut lines);
        line(time, (level, message, wire::Event::Diagnostic { diagnostic }))
    };
    sorted(diagnostics).into_iter().map(problem).collect()
}

fn error_line(error: &CliError, time: SystemTime) -> Line {
    let event = wire::Event::Diagnostic { diagnostic: convert::error(error) };
    line(time, (Importance::Error, error.message.clone(), event))
}

fn refused_because(occasion: &ReloadTrigger, sentence: &str, time: SystemTime) -> Line {
    let (reason, subject) = match occasion {
        ReloadTrigger::Start => ("start", None),
        ReloadTrigger::Changed(what) => ("file_changed", Some(what.clone())),
        ReloadTrigger::Live(what) => ("value_changed", Some(what.clone())),
        ReloadTrigger::Asked => ("requested", None),
        ReloadTrigger::Removed => ("removed", None),
        ReloadTrigger::Resumed => ("resumed", None),
    };
    let trigger = wire::ReloadTrigger { reason: reason.into(), subject };
    let message = format!("the configuration was refused: {sentence}");
    line(time, (Importance::Error, message, wire::Event::ReloadFailed { trigger }))
}

fn finished(event: &Event, mode: Mode, scene: &mut Scene<'_>) -> Option<LineParts> {
    let EventKind::Finished { resource, action, cause, verdict, took } = &event.kind else { return None };
    let message = Heading::of(verdict, action, cause, mode).message(resource);
    let finished = wire::Finished {
        resource: resource.into(),
        action: action.to_string(),
        cause: convert::cause(cause),
        identity: scene.identity(resource),
        location: scene.place(resource).map(|place| convert::place(place, scene.lines())),
        moved_to: scene.moved_to(resource).as_ref().map(Into::into),
        verdict: convert::verdict(verdict, scene.lines()),
        duration_ms: milliseconds(*took),
    };
    Some((importance(verdict), message, wire::Event::ResourceFinished(Box::new(finished))))
}

fn run_finished(summary: &Summary, sentence: String, error: bool) -> LineParts {
    let summary = convert::summary(summary);
    (end_level(error), sentence, wire::Event::RunFinished { summary, error })
}

/// An event that only a watch has.
fn watch_event(event: &Event) -> Option<LineParts> {
    Some(match &event.kind {
        EventKind::Watching { resources } => {
            let message = format!("watching {}", count(*resources, "resource"));
            (Importance::Info, message, wire::Event::Watching { resources: *resources })
        }
        EventKind::BackingOff { resource, failures, after } => {
            let message = format!("{resource}: {} in a row", count(*failures as usize, "failure"));
            let (resource, failures, after_ms) = (resource.into(), *failures, milliseconds(*after));
            (Importance::Debug, message, wire::Event::ResourceBackingOff { resource, failures, after_ms })
        }
        EventKind::Blind { resource, because, every } => {
            let message = format!("{resource}: cannot be watched: {because}");
            let (resource, reason, interval_ms) = (resource.into(), because.clone(), milliseconds(*every));
            (Importance::Warn, message, wire::Event::ResourcePolling { resource, reason, interval_ms })
        }
        EventKind::ReportsLost => {
            (Importance::Warn, "change events were lost".to_owned(), wire::Event::EventsLost)
        }
        &EventKind::Swapped { generation, kept, visited, left } => {
            let message = watch_text::swapped(kept, visited, left);
            (
                Importance::Info,
                message,
                wire::Event::ConfigurationReloaded {
                    generation,
                    unchanged: kept,
                    visited,
                    no_longer_declared: left,
                },
            )
        }
        _ => return None,
    })
}

fn end_level(error: bool) -> Importance {
    if error { Importance::Error } else { Importance::Info }
}

fn importance(verdict: &Verdict) -> Importance {
    match verdict {
        Verdict::Failed(_) => Importance::Error,
        Verdict::Skipped(_)
        | Verdict::Ignored(_)
        | Verdict::Differs(_)
        | Verdict::Paused(..)
        | Verdict::PutBack(_) => Importance::Warn,
        _ => Importance::Info,
    }
}

impl Report for Json {
    fn begin(&mut self, ui: &mut Ui) {
        let event = wire::Event::Version { format_version: wire::VERSION, uphold: VERSION.into() };
        ui.json_line(&line(self.began, (Importance::Info, format!("Uphold {VERSION}"), event)));
    }

    fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui) {
        problems(diagnostics, sources, self.began).iter().for_each(|line| ui.json_line(line));
        if diagnostics.has_errors() {
            self.no_run(tally(diagnostics), true, ui);
        }
    }

    fn event(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        if let Some(line) = self.event_line(event, scene, self.began + event.at) {
            ui.json_line(&line);
        }
        if self.shape.mode == Mode::Apply {
            ui.flush();
        }
    }

    fn no_longer_declared(&mut self, left: &[LeftResource], _: &HintCommand, ui: &mut Ui) {
        if !left.is_empty() {
            ui.json_line(&Self::left(left, self.began));
        }
    }

    fn valid(&mut self, program: &Program, ui: &mut Ui) {
        self.no_run(human::valid(program), false, ui);
    }

    fn error(&mut self, error: &CliError, ui: &mut Ui) {
        ui.json_line(&error_line(error, self.began));
        self.no_run(format!("{}; nothing was changed", error.message), true, ui);
    }
}
