//! The JSON lines of a run and of a watch; `docs/json.md` specifies them.

use serde::{Deserialize, Serialize};

use crate::object::{
    Cause, Diagnostic, Failure, LeftResource, Output, Place, Resource, Summary, Verdict, Word,
};
use crate::version::Version;

/// The version of the stream.
pub const VERSION: Version = Version::new(3, 1);

/// One line: an event in the envelope that every line has.
///
/// The event is flattened into the line, so a parse error has no column. Only tests and other programs read a stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line<E = Event> {
    /// The severity.
    #[serde(rename = "@level")]
    pub level: Level,
    /// The text for people.
    #[serde(rename = "@message")]
    pub message: String,
    /// RFC 3339, UTC, milliseconds.
    #[serde(rename = "@timestamp")]
    pub timestamp: String,
    /// The event.
    #[serde(flatten)]
    pub event: E,
}

/// The severity of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the usual ones")]
pub enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

/// An event. `docs/json.md` says when each is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "docs/json.md has a row for each, which says what its fields mean")]
pub enum Event {
    Version {
        format_version: Version,
        uphold: Word,
    },
    Diagnostic {
        diagnostic: Diagnostic,
    },
    RunStarted {
        mode: Word,
        audit: bool,
        actions: usize,
    },
    ResourceStarted {
        resource: Resource,
        action: String,
        cause: Cause,
    },
    ResourceRetrying {
        resource: Resource,
        failure: Failure,
        attempts: u32,
        after_ms: u64,
    },
    ResourceWaiting {
        resource: Resource,
        reason: String,
        after_ms: u64,
    },
    ResourcesBatched {
        resources: Vec<Resource>,
    },
    Message {
        resource: Resource,
        text: String,
    },
    ResourceFinished(Box<Finished>),
    Output(Output),
    NoLongerDeclared {
        resources: Vec<LeftResource>,
    },
    Drift {
        resources: usize,
        other: OtherDifferences,
        since: Option<String>,
    },
    RunFinished {
        summary: Summary,
        error: bool,
    },
    Watching {
        resources: usize,
    },
    ResourceBackingOff {
        resource: Resource,
        failures: u32,
        after_ms: u64,
    },
    ResourcePolling {
        resource: Resource,
        reason: String,
        interval_ms: u64,
    },
    EventsLost,
    ConfigurationReloaded {
        generation: u64,
        unchanged: usize,
        visited: usize,
        no_longer_declared: usize,
    },
    ReloadFailed {
        trigger: ReloadTrigger,
    },
    ConfigurationPolling {
        reason: String,
    },
    WatchFinished {
        summary: Summary,
        error: bool,
    },
    /// An event of a later version.
    #[serde(other)]
    Other,
}

/// The end of a visit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    /// The resource.
    pub resource: Resource,
    /// The action.
    pub action: String,
    /// The reason for the visit.
    pub cause: Cause,
    /// The name on the machine, such as a path, if it is not the label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// The location of the declaration.
    pub location: Option<Place>,
    /// The resource that takes its place, by a `moved` block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<Resource>,
    /// The outcome.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The duration.
    pub duration_ms: u64,
}

/// The number of resources that differ, and did not drift.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherDifferences {
    /// Their difference is new in the configuration.
    pub new: usize,
    /// The cause is not known.
    pub unknown: usize,
}

/// The reason for reading the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReloadTrigger {
    /// `start`, `file_changed`, `value_changed`, `requested`, `removed` or `resumed`.
    pub reason: Word,
    /// The file or the fact that changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
}

/// The part of a line that `uphold status --follow` shows to people.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Excerpt {
    /// The level.
    #[serde(rename = "@level")]
    pub level: String,
    /// The message.
    #[serde(rename = "@message")]
    pub message: String,
    /// The time.
    #[serde(rename = "@timestamp")]
    pub timestamp: String,
    /// The type of the line.
    pub r#type: Option<String>,
    /// The outcome of a visit.
    pub verdict: Option<String>,
    /// The reason why it was skipped.
    pub skip_reason: Option<String>,
    /// The resource.
    pub resource: Option<ResourceExcerpt>,
    /// The reason for the visit.
    pub cause: Option<CauseExcerpt>,
}

impl Excerpt {
    /// Parses a line; none if it is no line of a stream.
    pub fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}

/// The resource of a line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ResourceExcerpt {
    /// As it is written in an expression.
    pub address: String,
}

/// The reason for a visit.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CauseExcerpt {
    /// The object whose change was detected.
    pub subject: Option<String>,
}
