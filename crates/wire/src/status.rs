//! The answers of a running watch; `docs/status.md` specifies them.

mod recent_event;
mod resource;

use std::sync::Arc;
use std::time::SystemTime;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use super::object::Word;
use super::version::{Format, ReadError, Version, read};
use super::via;

pub use recent_event::{RecentEvent, WatchEventKind};
pub use resource::{LastChange, Next, Polling, ResourceStatus, State, Trouble, Visit, Why};

// The status of a watch: a full snapshot, or an overview.

/// An answer with a [`Snapshot`] or an [`Overview`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Status<T> {
    /// The version of the answer.
    pub format_version: Version,
    /// `status` or `overview`.
    pub r#type: Word,
    /// The status.
    #[serde(flatten)]
    pub known: T,
}

impl<T: DeserializeOwned> Format for Status<T> {
    const NAME: &'static str = "answer of the watch";
    const VERSION: Version = VERSION;
}

/// The full status. Its cost is linear in the number of resources; a view that is redrawn often uses an [`Overview`]
/// and a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The overview, with all problems.
    #[serde(flatten)]
    pub overview: Overview,
    /// Every action, in source order; empty if an overview is read as a snapshot.
    #[serde(default)]
    pub resources: Vec<ResourceStatus>,
}

impl Snapshot {
    /// The answer with this status.
    pub fn answer(&self) -> Status<&Self> {
        Status { format_version: VERSION, r#type: "status".into(), known: self }
    }

    /// Parses an answer; of an overview, without resources.
    ///
    /// # Errors
    /// If it is no such answer, has another major version, or lacks a field.
    pub fn from_line(line: &str) -> Result<Self, ReadError> {
        read::<Status<Self>>(line).map(|status| status.known)
    }
}

impl Overview {
    /// The answer with this status.
    pub fn answer(&self) -> Status<&Self> {
        Status { format_version: VERSION, r#type: "overview".into(), known: self }
    }
}

/// Skips events of a later version.
fn known<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Arc<RecentEvent>>, D::Error> {
    let all: Vec<serde_json::Value> = Deserialize::deserialize(from)?;
    Ok(all.into_iter().filter_map(|one| serde_json::from_value(one).ok()).map(Arc::new).collect())
}

/// The overview: its size does not grow with the number of resources.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overview {
    /// The start of the watch.
    #[serde(with = "via")]
    pub started_at: SystemTime,
    /// The process id of the watch.
    pub pid: u32,
    /// The current phase.
    pub phase: Phase,
    /// The number of the configuration in force: 0 is the first.
    pub generation: u64,
    /// The time of the last reload.
    #[serde(default, with = "via")]
    pub reloaded_at: Option<SystemTime>,
    /// Why the configuration on the disk is not in force, if it is invalid.
    pub reload_error: Option<Refusal>,
    /// The counts.
    pub totals: Totals,
    /// The failed, blocked, differing and polled resources, in source order.
    pub problems: Vec<ResourceStatus>,
    /// The number of problems that are left out.
    pub more_problems: usize,
    /// The resources that are being visited.
    pub busy: Vec<ResourceStatus>,
    /// The recent events, oldest first.
    #[serde(deserialize_with = "known")]
    pub events: Vec<Arc<RecentEvent>>,
}

/// The phase of a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum Phase {
    /// The first run has not started.
    Starting,
    /// It visits new and changed resources.
    Converging {
        /// The number of finished actions.
        done: usize,
        /// The number of actions.
        of: usize,
    },
    /// Everything was visited, and is watched.
    Watching {
        /// The time since then; a reload does not reset it.
        #[serde(with = "via")]
        since: SystemTime,
    },
}

/// A failed reload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The time.
    #[serde(with = "via")]
    pub at: SystemTime,
    /// The error.
    pub message: String,
}

/// The number of resources in each state, and counters since the watch started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// All actions.
    pub all: usize,
    /// Polled, because they cannot be watched.
    pub polled: usize,
    /// Cannot be visited, because a dependency failed.
    pub blocked: usize,
    /// Being visited, in any state.
    pub busy: usize,
    /// Visits that changed something.
    pub changes: u64,
    /// Differ, and are only audited.
    pub differs: usize,
    /// Detected drifts.
    pub drifted: u64,
    /// Failed.
    pub failed: usize,
    /// Visits that failed.
    pub failures: u64,
    /// As declared.
    pub ok: usize,
    /// Failed, and the failure is ignored.
    pub ignored: usize,
    /// Differ, and are paused.
    #[serde(default)]
    pub paused: usize,
    /// Skipped, because a condition is false.
    pub skipped: usize,
    /// Not visited yet, being visited, or waiting for another attempt.
    pub pending: usize,
    /// Failed reloads.
    pub reload_failures: u64,
    /// Repaired drifts.
    pub repaired: u64,
    /// How often change events were lost.
    pub events_lost: u64,
    /// Successful reloads.
    pub reloads: u64,
    /// Visits that ended.
    pub visits: u64,
    /// Not visited yet.
    pub not_visited: usize,
}

// Requests to a running watch, and its short answers.

/// The version of all answers.
pub const VERSION: Version = Version::new(2, 1);

/// A request: one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// `status`, `overview`, `follow`, `reload` or `recheck`.
    pub request: Word,
}

impl Request {
    /// Parses a request.
    pub fn read(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }
}

/// The answer to an accepted request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// The version of the answer.
    pub format_version: Version,
    /// The request.
    pub request: Word,
    /// `accepted`.
    pub r#type: Word,
}

/// The answer to a request that cannot be served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The error code, such as `busy`.
    pub error: Word,
    /// The version of the answer.
    pub format_version: Version,
    /// The reason, for people.
    pub message: String,
    /// `error`.
    pub r#type: Word,
}

impl Refused {
    /// An error answer.
    pub fn new(error: &'static str, message: &str) -> Self {
        let (error, r#type) = (error.into(), "error".into());
        Self { error, format_version: VERSION, message: message.to_owned(), r#type }
    }

    /// Parses an error answer; none if it is another answer.
    pub fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok().filter(|refused: &Self| refused.r#type == "error")
    }
}

/// The last line of `follow`: the watch ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// `end`.
    pub r#type: Word,
}
