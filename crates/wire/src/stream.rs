//! JSON lines of a run and of a watch: `docs/json.md` is the promise.

use serde::{Deserialize, Serialize};

use crate::object::{Cause, Diagnostic, Failure, Output, Place, Resource, Summary, Verdict, Word};
use crate::version::Version;

/// The version of the stream.
pub const VERSION: Version = Version::new(1, 4);

/// One line: what happened, in an envelope that every line has.
///
/// The fields of the event are those of the line. Reading them needs the line as a whole, so that a mistake has no
/// column; nothing but a test and a program of another one reads a stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line<E = Event> {
    /// How important it is.
    #[serde(rename = "@level")]
    pub level: Level,
    /// What a person would read.
    #[serde(rename = "@message")]
    pub message: String,
    /// RFC 3339, UTC, milliseconds.
    #[serde(rename = "@timestamp")]
    pub timestamp: String,
    /// What happened.
    #[serde(flatten)]
    pub event: E,
}

/// How important a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the usual ones")]
pub enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

/// What happened. The table of lines in `docs/json.md` says when each is written.
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
        tried: u32,
        after_ms: u64,
    },
    ResourceWaiting {
        resource: Resource,
        reason: String,
        after_ms: u64,
    },
    ResourcesMerged {
        resources: Vec<Resource>,
    },
    Message {
        resource: Resource,
        text: String,
    },
    ResourceFinished(Box<Finished>),
    Output(Output),
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
    ResourceBlind {
        resource: Resource,
        because: String,
        every_ms: u64,
    },
    ReportsLost,
    Swapped {
        generation: u64,
        kept: usize,
        visited: usize,
        left: usize,
    },
    ReloadRefused {
        occasion: Occasion,
    },
    ConfigurationBlind {
        because: String,
    },
    WatchFinished {
        summary: Summary,
        error: bool,
    },
    /// One that a later version added.
    #[serde(other)]
    Other,
}

/// An action is done with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    /// The resource.
    pub resource: Resource,
    /// The action.
    pub action: String,
    /// Why it was done.
    pub cause: Cause,
    /// Where the resource was written.
    pub place: Option<Place>,
    /// What became of it.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// How long it took.
    pub took_ms: u64,
}

/// Why the configuration was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Occasion {
    /// `start`, `changed`, `live` or `asked`.
    pub reason: Word,
    /// The file or the fact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
}

/// As much of a line of any version as a person is shown.
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
    /// What became of a resource.
    pub verdict: Option<String>,
    /// The resource.
    pub resource: Option<ResourceExcerpt>,
    /// Why it was visited.
    pub cause: Option<CauseExcerpt>,
}

impl Excerpt {
    /// The excerpt of a line; none if it is no line of a stream.
    pub fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}

/// Which resource.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ResourceExcerpt {
    /// As it is written in an expression.
    pub address: String,
}

/// Why a resource was visited.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CauseExcerpt {
    /// What the machine reported.
    pub what: Option<String>,
}
