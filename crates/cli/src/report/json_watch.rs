//! What happens in a watch, for programs.

use std::time::{Duration, SystemTime};

use uphold::model::{Diagnostics, Sources};
use uphold::{Event, EventKind, Occasion, Summary};
use uphold_wire::stream::{self as wire, Level as Importance, Line};

use super::json::Json;
use super::reporter::Scene;
use super::span::milliseconds;
use super::watch_sentence;
use crate::error::CliError;

impl Json {
    /// What happened at this time.
    pub(crate) fn line_of(&mut self, event: &Event, scene: &mut Scene<'_>, now: SystemTime) -> Option<Line> {
        // A watch may last for days, in which clocks are set and machines sleep.
        self.set_clock(now.checked_sub(event.at).unwrap_or(now));
        self.told(event, scene)
    }

    /// A configuration was refused, and the one before is held on.
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
            lines.push(self.refused_because(occasion, &watch_sentence::refused(diagnostics)));
        }
        lines
    }

    /// A configuration could not be read, and the one before is held on.
    pub(crate) fn unreadable(&mut self, occasion: &Occasion, error: &CliError, now: SystemTime) -> Vec<Line> {
        self.set_clock(now);
        let told = wire::Event::Diagnostic { diagnostic: super::wire::error(error) };
        let line = self.line(Importance::Error, &error.message, Duration::ZERO, told);
        vec![line, self.refused_because(occasion, "it cannot be read; the one before is held on")]
    }

    /// What the configuration is read from cannot be watched.
    pub(crate) fn blind(&mut self, because: &str, now: SystemTime) -> Line {
        self.set_clock(now);
        let message = format!("the configuration cannot be watched: {because}");
        let told = wire::Event::ConfigurationBlind { because: because.to_owned() };
        self.line(Importance::Warn, &message, Duration::ZERO, told)
    }

    /// The watch is over.
    pub(crate) fn watch_finished(&mut self, summary: &Summary, sentence: &str, now: SystemTime) -> Line {
        self.set_clock(now);
        let error = !summary.is_success();
        let level = if error { Importance::Error } else { Importance::Info };
        let told = wire::Event::WatchFinished { summary: super::wire::summary(summary), error };
        self.line(level, sentence, Duration::ZERO, told)
    }

    fn refused_because(&self, occasion: &Occasion, sentence: &str) -> Line {
        let message = format!("the configuration is refused: {sentence}");
        let told = wire::Event::ReloadRefused { occasion: self::occasion(occasion) };
        self.line(Importance::Error, &message, Duration::ZERO, told)
    }

    /// What only a watch says.
    pub(super) fn watched(&self, event: &Event) -> Option<Line> {
        let line = |level, message: &str, told| self.line(level, message, event.at, told);
        Some(match &event.kind {
            EventKind::Watching { resources } => {
                let told = wire::Event::Watching { resources: *resources };
                line(Importance::Info, &format!("holding {resources} resources"), told)
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
                line(Importance::Warn, "reports of changes were lost", wire::Event::ReportsLost)
            }
            EventKind::Swapped { generation, kept, visited, left } => {
                let (generation, kept, visited, left) = (*generation, *kept, *visited, *left);
                let message = watch_sentence::swapped(kept, visited, left);
                line(Importance::Info, &message, wire::Event::Swapped { generation, kept, visited, left })
            }
            _ => return None,
        })
    }
}

/// Why a configuration was read.
fn occasion(occasion: &Occasion) -> wire::Occasion {
    let (reason, what) = match occasion {
        Occasion::Start => ("start", None),
        Occasion::Changed(what) => ("changed", Some(what.clone())),
        Occasion::Live(what) => ("live", Some(what.clone())),
        Occasion::Asked => ("asked", None),
    };
    wire::Occasion { reason: reason.into(), what }
}
