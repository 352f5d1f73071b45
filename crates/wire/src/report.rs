//! The document of `--report`; `docs/reports.md` specifies it.

use serde::{Deserialize, Serialize};

use super::version::Format;
use crate::object::{
    Cause, Diagnostic, Failure, LeftResource, Output, Place, Resource, Summary, Verdict, Word,
};
use crate::stream::Level;
use crate::version::Version;

/// The report of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The version of the document.
    pub format_version: Version,
    /// The version of Uphold.
    pub uphold: Word,
    /// The run as a whole.
    pub run: Run,
    /// Errors and warnings about the configuration.
    pub diagnostics: Vec<Diagnostic>,
    /// The visits, in the order in which they ended.
    pub records: Vec<Record>,
    /// The resources of each batch.
    pub batches: Vec<Vec<String>>,
    /// The outputs.
    pub outputs: Vec<Output>,
    /// Resources that were applied, and are no longer declared.
    #[serde(default)]
    pub no_longer_declared: Vec<LeftResource>,
}

impl Format for Report {
    const NAME: &'static str = "report";
    const VERSION: Version = Version::new(3, 1);
}

/// The run as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// `plan` or `apply`.
    pub mode: Word,
    /// Whether nothing may be changed.
    pub audit: bool,
    /// The name of the machine.
    pub host: Option<String>,
    /// The `--root` directory, if there is one.
    pub root: Option<String>,
    /// RFC 3339, UTC, milliseconds.
    pub started_at: String,
    /// The duration.
    pub duration_ms: u64,
    /// The number of actions.
    pub actions: usize,
    /// The counts.
    pub summary: Summary,
    /// Whether anything failed.
    pub error: bool,
    /// The summary line of the run; none if it did not finish.
    pub message: Option<String>,
}

/// One visit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
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
    /// The text for people.
    pub message: String,
    /// The duration.
    pub duration_ms: u64,
    /// The outcome.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The start, from the beginning of the run.
    pub started_after_ms: Option<u64>,
    /// The number of attempts.
    pub attempts: usize,
    /// The failed attempts before the last.
    pub retries: Vec<Retry>,
    /// The total time that it waited.
    pub waited_ms: u64,
    /// The conditions that it waited for.
    pub waits: Vec<Wait>,
    /// The index of its batch.
    pub batch: Option<usize>,
    /// The messages of the resource.
    pub messages: Vec<Message>,
}

/// A failed attempt that was repeated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Retry {
    /// The failure.
    pub failure: Failure,
    /// The delay until the next attempt.
    pub after_ms: u64,
}

/// A wait for one condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// The condition.
    pub reason: String,
    /// The number of checks.
    pub checks: u32,
    /// The duration.
    pub waited_ms: u64,
}

/// A message of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The severity.
    pub level: Level,
    /// The message.
    pub text: String,
}
