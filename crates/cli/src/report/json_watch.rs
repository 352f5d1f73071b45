//! What happens in a watch, for programs.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use uphold::model::{Diagnostics, Sources};
use uphold::{Event, EventKind, Occasion, Summary};

use super::json::Json;
use super::json_line::{Importance, JsonLine};
use super::reporter::Scene;
use super::span::milliseconds;
use super::{watch_sentence, wire};
use crate::error::CliError;

impl Json {
    /// What happened at this time.
    pub(crate) fn line_of(
        &mut self,
        event: &Event,
        scene: &mut Scene<'_>,
        now: SystemTime,
    ) -> Option<JsonLine> {
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
    ) -> Vec<JsonLine> {
        self.set_clock(now);
        let mut lines = self.problems(diagnostics, sources, Duration::ZERO);
        if diagnostics.has_errors() {
            lines.push(self.refused_because(occasion, &watch_sentence::refused(diagnostics)));
        }
        lines
    }

    /// A configuration could not be read, and the one before is held on.
    pub(crate) fn unreadable(
        &mut self,
        occasion: &Occasion,
        error: &CliError,
        now: SystemTime,
    ) -> Vec<JsonLine> {
        self.set_clock(now);
        let line = self.line("diagnostic", Importance::Error, &error.message, Duration::ZERO);
        let sentence = "it cannot be read; the one before is held on";
        vec![line.with("diagnostic", wire::error(error)), self.refused_because(occasion, sentence)]
    }

    /// What the configuration is read from cannot be watched.
    pub(crate) fn blind(&mut self, because: &str, now: SystemTime) -> JsonLine {
        self.set_clock(now);
        let message = format!("the configuration cannot be watched: {because}");
        self.line("configuration_blind", Importance::Warn, &message, Duration::ZERO).with("because", because)
    }

    /// The watch is over.
    pub(crate) fn watch_finished(&mut self, summary: &Summary, sentence: &str, now: SystemTime) -> JsonLine {
        self.set_clock(now);
        let error = !summary.is_success();
        let level = if error { Importance::Error } else { Importance::Info };
        let line = self.line("watch_finished", level, sentence, Duration::ZERO);
        line.with("summary", wire::summary(summary)).with("error", error)
    }

    fn refused_because(&self, occasion: &Occasion, sentence: &str) -> JsonLine {
        let message = format!("the configuration is refused: {sentence}");
        self.line("reload_refused", Importance::Error, &message, Duration::ZERO)
            .with("occasion", self::occasion(occasion))
    }

    /// What only a watch says.
    pub(super) fn watched(&self, event: &Event) -> Option<JsonLine> {
        let line = |kind, level, message: &str| self.line(kind, level, message, event.at);
        Some(match &event.kind {
            EventKind::Watching { resources } => {
                let message = format!("holding {resources} resources");
                line("watching", Importance::Info, &message).with("resources", *resources)
            }
            EventKind::BackingOff { resource, failures, after } => {
                let message = format!("{resource}: failed {failures} times in a row");
                line("resource_backing_off", Importance::Debug, &message)
                    .with("resource", wire::resource(resource))
                    .with("failures", *failures)
                    .with("after_ms", milliseconds(*after))
            }
            EventKind::Blind { resource, because, every } => {
                let message = format!("{resource}: cannot be watched: {because}");
                line("resource_blind", Importance::Warn, &message)
                    .with("resource", wire::resource(resource))
                    .with("because", &**because)
                    .with("every_ms", milliseconds(*every))
            }
            EventKind::ReportsLost => line("reports_lost", Importance::Warn, "reports of changes were lost"),
            EventKind::Swapped { generation, kept, visited, left } => {
                let message = watch_sentence::swapped(*kept, *visited, *left);
                line("swapped", Importance::Info, &message)
                    .with("generation", *generation)
                    .with("kept", *kept)
                    .with("visited", *visited)
                    .with("left", *left)
            }
            _ => return None,
        })
    }
}

/// Why a configuration was read.
fn occasion(occasion: &Occasion) -> Value {
    match occasion {
        Occasion::Start => json!({ "reason": "start" }),
        Occasion::Changed(what) => json!({ "reason": "changed", "what": what }),
        Occasion::Live(what) => json!({ "reason": "live", "what": what }),
        Occasion::Asked => json!({ "reason": "asked" }),
    }
}
