//! Events as JSON lines, for programs: `docs/json.md` specifies them.

use std::time::{Duration, SystemTime};

use uphold::model::{Diagnostic, Diagnostics, Severity, Sources};
use uphold::{Event, EventKind, Lines, Mode, Occasion, Program, Summary, Verdict, sorted};
use uphold_wire::stream::{self as wire, Level as Importance, Line};

use super::heading::Heading;
use super::reporter::{Report, Scene};
use super::span::milliseconds;
use super::wire::{self as convert, timestamp};
use super::{human, summary, watch_text};
use crate::diagnostics::tally;
use crate::{CliError, Ui};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Prints one JSON object per line; the last one is always `run_finished` or `watch_finished`.
pub(crate) struct Json {
    began: SystemTime,
    mode: Mode,
    audit: bool,
}

impl Json {
    pub(crate) fn new(now: SystemTime, audit: bool) -> Self {
        Self { began: now, mode: Mode::Plan, audit }
    }

    /// Sets the time to which the times of events are relative.
    fn set_clock(&mut self, began: SystemTime) {
        self.began = began;
    }

    fn line(&self, level: Importance, message: &str, at: Duration, event: wire::Event) -> Line {
        Line { level, message: message.to_owned(), timestamp: timestamp(self.began + at), event }
    }

    fn problems(&self, diagnostics: &Diagnostics, sources: &Sources, at: Duration) -> Vec<Line> {
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
        let diagnostic = convert::diagnostic(diagnostic, lines);
        self.line(level, &message, at, wire::Event::Diagnostic { diagnostic })
    }

    /// The line of an event; none if it has no line.
    fn event_line(&mut self, event: &Event, scene: &mut Scene<'_>) -> Option<Line> {
        let line = |level, message: &str, data| Some(self.line(level, message, event.at, data));
        match &event.kind {
            EventKind::RunStarted { mode, actions } => Some(self.run_started(*mode, *actions, event.at)),
            EventKind::Started { resource, action, cause } => line(
                Importance::Debug,
                &format!("{resource}: {action}"),
                wire::Event::ResourceStarted {
                    resource: resource.into(),
                    action: action.to_string(),
                    cause: convert::cause(cause),
                },
            ),
            EventKind::Retrying { resource, failure, tried, after } => line(
                Importance::Warn,
                &format!("{resource}: attempt {tried} failed: {}", failure.message),
                wire::Event::ResourceRetrying {
                    resource: resource.into(),
                    failure: convert::failure(failure, scene.lines()),
                    tried: *tried,
                    after_ms: milliseconds(*after),
                },
            ),
            EventKind::Waiting { resource, reason, after } => line(
                Importance::Info,
                &format!("{resource}: waiting: {reason}"),
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
                let data = wire::Event::Message { resource: resource.into(), text: text.clone() };
                line(convert::level(*importance), text, data)
            }
            EventKind::Finished { .. } => self.finished(event, scene),
            EventKind::Output { name, value } => {
                let (level, message) = match value {
                    Ok(value) => (Importance::Info, format!("{name} = {}", human::shown(value, self.mode))),
                    Err(failure) => (Importance::Error, format!("output {name}: {}", failure.message)),
                };
                line(level, &message, wire::Event::Output(convert::output(name, value, scene.lines())))
            }
            EventKind::RunFinished(summary) => {
                let sentence = summary::sentence(summary, self.mode, self.audit, event.at);
                Some(self.run_finished(summary, &sentence, !summary.is_success(), event.at))
            }
            _ => self.watch_event(event),
        }
    }

    fn run_started(&mut self, mode: Mode, actions: usize, at: Duration) -> Line {
        self.mode = mode;
        let what = if self.audit { "audit" } else { convert::mode(mode) };
        let data = wire::Event::RunStarted { mode: convert::mode(mode).into(), audit: self.audit, actions };
        self.line(Importance::Info, &format!("{what} of {actions} actions"), at, data)
    }

    fn finished(&self, event: &Event, scene: &mut Scene<'_>) -> Option<Line> {
        let EventKind::Finished { resource, action, cause, verdict, took } = &event.kind else { return None };
        let message = Heading::of(verdict, action, cause).message(resource);
        let finished = wire::Finished {
            resource: resource.into(),
            action: action.to_string(),
            cause: convert::cause(cause),
            place: scene.place(resource).map(|place| convert::place(place, scene.lines())),
            verdict: convert::verdict(verdict, scene.lines()),
            took_ms: milliseconds(*took),
        };
        let data = wire::Event::ResourceFinished(Box::new(finished));
        Some(self.line(importance(verdict), &message, event.at, data))
    }

    fn run_finished(&self, summary: &Summary, sentence: &str, error: bool, at: Duration) -> Line {
        let level = if error { Importance::Error } else { Importance::Info };
        let data = wire::Event::RunFinished { summary: convert::summary(summary), error };
        self.line(level, sentence, at, data)
    }

    fn no_run(&self, sentence: &str, error: bool, ui: &mut Ui) {
        ui.json_line(&self.run_finished(&Summary::default(), sentence, error, Duration::ZERO));
    }
}

impl Json {
    /// The line of an event of a watch, at this time.
    pub(crate) fn watch_line(
        &mut self,
        event: &Event,
        scene: &mut Scene<'_>,
        now: SystemTime,
    ) -> Option<Line> {
        // During a long watch, clocks are set and machines sleep.
        self.set_clock(now.checked_sub(event.at).unwrap_or(now));
        self.event_line(event, scene)
    }

    /// Lines about a reloaded configuration, and about its refusal if it is invalid.
    pub(crate) fn refusal(
        &mut self,
        occasion: &Occasion,
        diagnostics: &Diagnostics,
        sources: &Sources,
        now: SystemTime,
    ) -> Vec<Line> {
        self.set_clock(now);
        let mut lines = self.problems(diagnostics, sources, Duration::ZERO);
        if diagnostics.has_errors() {
            lines.push(self.refused_because(occasion, &watch_text::refused(diagnostics)));
        }
        lines
    }

    /// Lines about a configuration that cannot be read.
    pub(crate) fn unreadable(&mut self, occasion: &Occasion, error: &CliError, now: SystemTime) -> Vec<Line> {
        self.set_clock(now);
        let data = wire::Event::Diagnostic { diagnostic: convert::error(error) };
        let line = self.line(Importance::Error, &error.message, Duration::ZERO, data);
        vec![line, self.refused_because(occasion, watch_text::UNREADABLE)]
    }

    /// The line about a configuration that cannot be watched.
    pub(crate) fn blind(&mut self, because: &str, now: SystemTime) -> Line {
        self.set_clock(now);
        let message = format!("the configuration cannot be watched: {because}");
        let data = wire::Event::ConfigurationBlind { because: because.to_owned() };
        self.line(Importance::Warn, &message, Duration::ZERO, data)
    }

    /// The last line of a watch.
    pub(crate) fn watch_finished(&mut self, summary: &Summary, sentence: &str, now: SystemTime) -> Line {
        self.set_clock(now);
        let error = !summary.is_success();
        let level = if error { Importance::Error } else { Importance::Info };
        let data = wire::Event::WatchFinished { summary: convert::summary(summary), error };
        self.line(level, sentence, Duration::ZERO, data)
    }

    fn refused_because(&self, occasion: &Occasion, sentence: &str) -> Line {
        let message = format!("the configuration was refused: {sentence}");
        let data = wire::Event::ReloadRefused { occasion: self::occasion(occasion) };
        self.line(Importance::Error, &message, Duration::ZERO, data)
    }

    /// The line of an event that only a watch has.
    fn watch_event(&self, event: &Event) -> Option<Line> {
        let line = |level, message: &str, data| self.line(level, message, event.at, data);
        Some(match &event.kind {
            EventKind::Watching { resources } => {
                let data = wire::Event::Watching { resources: *resources };
                line(Importance::Info, &format!("watching {resources} resources"), data)
            }
            EventKind::BackingOff { resource, failures, after } => line(
                Importance::Debug,
                &format!("{resource}: failed {failures} times in a row"),
                wire::Event::ResourceBackingOff {
                    resource: resource.into(),
                    failures: *failures,
                    after_ms: milliseconds(*after),
                },
            ),
            EventKind::Blind { resource, because, every } => line(
                Importance::Warn,
                &format!("{resource}: cannot be watched: {because}"),
                wire::Event::ResourceBlind {
                    resource: resource.into(),
                    because: because.to_string(),
                    every_ms: milliseconds(*every),
                },
            ),
            EventKind::ReportsLost => {
                line(Importance::Warn, "change events were lost", wire::Event::ReportsLost)
            }
            EventKind::Swapped { generation, kept, visited, left } => {
                let (generation, kept, visited, left) = (*generation, *kept, *visited, *left);
                let message = watch_text::swapped(kept, visited, left);
                line(Importance::Info, &message, wire::Event::Swapped { generation, kept, visited, left })
            }
            _ => return None,
        })
    }
}

fn importance(verdict: &Verdict) -> Importance {
    match verdict {
        Verdict::Failed(_) => Importance::Error,
        Verdict::Skipped(_) | Verdict::Ignored(_) | Verdict::Differs(_) => Importance::Warn,
        _ => Importance::Info,
    }
}

impl Report for Json {
    fn begin(&mut self, ui: &mut Ui) {
        let data = wire::Event::Version { format_version: wire::VERSION, uphold: VERSION.into() };
        ui.json_line(&self.line(Importance::Info, &format!("Uphold {VERSION}"), Duration::ZERO, data));
    }

    fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui) {
        let problems = self.problems(diagnostics, sources, Duration::ZERO);
        problems.iter().for_each(|line| ui.json_line(line));
        if diagnostics.has_errors() {
            self.no_run(&tally(diagnostics), true, ui);
        }
    }

    fn event(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        if let Some(line) = self.event_line(event, scene) {
            ui.json_line(&line);
        }
        if self.mode == Mode::Apply {
            ui.flush();
        }
    }

    fn valid(&mut self, program: &Program, ui: &mut Ui) {
        self.no_run(&human::valid(program), false, ui);
    }

    fn error(&mut self, error: &CliError, ui: &mut Ui) {
        let data = wire::Event::Diagnostic { diagnostic: convert::error(error) };
        ui.json_line(&self.line(Importance::Error, &error.message, Duration::ZERO, data));
        self.no_run(&format!("{}; nothing was changed", error.message), true, ui);
    }
}

/// The reason for which a configuration was read.
fn occasion(occasion: &Occasion) -> wire::Occasion {
    let (reason, what) = match occasion {
        Occasion::Start => ("start", None),
        Occasion::Changed(what) => ("changed", Some(what.clone())),
        Occasion::Live(what) => ("live", Some(what.clone())),
        Occasion::Asked => ("asked", None),
    };
    wire::Occasion { reason: reason.into(), what }
}
