//! The document of `--report`: `docs/reports.md` is the promise.

use serde::{Deserialize, Serialize};

use crate::object::{Cause, Diagnostic, Failure, Output, Place, Resource, Summary, Verdict, Word};
use crate::read::Format;
use crate::stream::Level;
use crate::version::Version;

/// A run, written down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The version of the document.
    pub format_version: Version,
    /// The version of Uphold.
    pub uphold: Word,
    /// The run as a whole.
    pub run: Run,
    /// Problems of the configuration.
    pub diagnostics: Vec<Diagnostic>,
    /// Each action, in the order in which they ended.
    pub records: Vec<Record>,
    /// Resources that were changed in one transaction.
    pub batches: Vec<Vec<String>>,
    /// Values of the whole configuration.
    pub outputs: Vec<Output>,
}

impl Format for Report {
    const NAME: &'static str = "report";
    const VERSION: Version = Version::new(1, 1);
}

/// The run as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// `plan` or `apply`.
    pub mode: Word,
    /// Whether it only looks and reports.
    pub audit: bool,
    /// The name of the machine.
    pub host: Option<String>,
    /// The directory that stands for the machine, if one does.
    pub root: Option<String>,
    /// RFC 3339, UTC, milliseconds.
    pub started_at: String,
    /// How long it took.
    pub took_ms: u64,
    /// How many actions there are.
    pub actions: usize,
    /// The numbers.
    pub summary: Summary,
    /// Whether anything went wrong.
    pub error: bool,
    /// The last sentence of the run; none if it did not come so far.
    pub message: Option<String>,
}

/// One action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The resource.
    pub resource: Resource,
    /// The action.
    pub action: String,
    /// Why it was done.
    pub cause: Cause,
    /// Where the resource was written.
    pub place: Option<Place>,
    /// What a person would read.
    pub message: String,
    /// How long it took.
    pub took_ms: u64,
    /// What became of it.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// When it was taken up, from the beginning of the run.
    pub began_ms: Option<u64>,
    /// How often it was tried.
    pub tries: usize,
    /// Each time that it failed and was tried again.
    pub retries: Vec<Retry>,
    /// How long it waited in all.
    pub waited_ms: u64,
    /// What it waited for.
    pub waits: Vec<Wait>,
    /// Which of the batches it was in.
    pub batch: Option<usize>,
    /// What the resource said.
    pub messages: Vec<Message>,
}

/// A failure that was not the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Retry {
    /// What went wrong.
    pub failure: Failure,
    /// Until the next try.
    pub after_ms: u64,
}

/// Waiting for one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// What for.
    pub reason: String,
    /// How often it was checked.
    pub looks: u32,
    /// For how long.
    pub waited_ms: u64,
}

/// What a resource said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// How important it is.
    pub level: Level,
    /// The message.
    pub text: String,
}
