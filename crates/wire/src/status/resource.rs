//! The status of one action on one resource.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use uphold_model::{Action, ChangeKind, Name, ResourceId};

use crate::object::{Pause, Resource, Word};
use crate::via::{self, Plain};

/// The status of one action on one resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResourceStatus {
    /// The resource.
    #[serde(with = "via")]
    pub resource: ResourceId,
    /// The action.
    #[serde(with = "via")]
    pub action: Action,
    /// The state after the last visit.
    pub state: State,
    /// The time since it has been in this state.
    #[serde(with = "via")]
    pub since: SystemTime,
    /// The start of the current visit.
    #[serde(default, with = "via")]
    pub busy_since: Option<SystemTime>,
    /// The next attempt, if it failed or is not ready.
    pub next_attempt: Option<Next>,
    /// Why it is polled and not watched, if it is.
    pub polling: Option<Arc<Polling>>,
    /// The last change.
    pub last_change: Option<LastChange>,
    /// The last visit that ended.
    pub last_visit: Option<Visit>,
    /// The number of visits.
    pub visits: u32,
    /// The number of visits that made a change.
    pub changes: u32,
    /// Detected drifts.
    pub drifted: u32,
    /// Repaired drifts.
    pub repaired: u32,
    /// The number of consecutive failures.
    pub failures: u32,
}

impl ResourceStatus {
    /// Whether it failed, is blocked, differs, is paused, or cannot be watched.
    pub fn is_trouble(&self) -> bool {
        self.state.is_trouble() || self.polling.is_some()
    }

    /// Whether a visit is outstanding: the first, the current, or another attempt.
    pub fn is_pending(&self) -> bool {
        self.busy_since.is_some() || self.next_attempt.is_some() || matches!(self.state, State::Waiting)
    }
}

/// The state of a resource after a visit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "FlatState", try_from = "FlatState")]
pub enum State {
    /// Not visited yet.
    Waiting,
    /// As declared.
    Held,
    /// Failed.
    Failed(Arc<Trouble>),
    /// Failed, and the failure is ignored.
    Ignored(Arc<Trouble>),
    /// A dependency failed: the root cause.
    Blocked(ResourceId),
    /// Differs, and is only audited.
    Differs {
        /// The kind of change that would be made.
        kind: ChangeKind,
        /// The properties that differ.
        properties: Arc<[Name]>,
    },
    /// Differs, and is paused.
    Paused {
        /// The kind of change that would be made.
        kind: ChangeKind,
        /// The properties that differ.
        properties: Arc<[Name]>,
        /// The pause.
        pause: Arc<Pause>,
    },
    /// Skipped, for this reason.
    LeftAlone(Arc<str>),
}

impl State {
    /// The name in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            State::Waiting => "not_visited",
            State::Held => "ok",
            State::Failed(_) => "failed",
            State::Ignored(_) => "ignored",
            State::Blocked(_) => "blocked",
            State::Differs { .. } => "differs",
            State::Paused { .. } => "paused",
            State::LeftAlone(_) => "skipped",
        }
    }

    /// Whether it needs attention.
    pub fn is_trouble(&self) -> bool {
        matches!(self, State::Failed(_) | State::Blocked(_) | State::Differs { .. } | State::Paused { .. })
    }
}

/// For people, after the resource and a colon.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::Waiting => f.write_str("not visited yet"),
            State::Held => f.write_str("as declared"),
            State::Failed(trouble) => write!(f, "failed: {}", trouble.message),
            State::Ignored(trouble) => write!(f, "failed, which is ignored: {}", trouble.message),
            State::Blocked(by) => write!(f, "blocked, because {by} failed"),
            State::Differs { properties, .. } if properties.is_empty() => f.write_str("differs"),
            State::Differs { properties, .. } => write!(f, "differs: {}", properties.join(", ")),
            State::Paused { properties, pause, .. } => {
                let by = &pause.by;
                let properties = properties.join(", ");
                write!(f, "paused by {by}{}", if properties.is_empty() { "" } else { ": " })?;
                f.write_str(&properties)
            }
            State::LeftAlone(reason) => write!(f, "skipped: {reason}"),
        }
    }
}

/// The JSON form of a state: its name, its data, and a text for people.
#[derive(Default, Serialize, Deserialize)]
struct FlatState {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<Resource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    change: Option<Word>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<Trouble>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pause: Option<Pause>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    properties: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    message: String,
    name: Word,
}

impl From<State> for FlatState {
    fn from(state: State) -> Self {
        let plain = Self { name: state.word().into(), message: state.to_string(), ..Self::default() };
        match state {
            State::Waiting | State::Held => plain,
            State::Failed(failure) | State::Ignored(failure) => {
                Self { failure: Some(Arc::unwrap_or_clone(failure)), ..plain }
            }
            State::Blocked(by) => Self { by: Some((&by).into()), ..plain },
            State::Differs { kind, properties } => {
                Self { change: Some(kind.word().into()), properties: Some(properties.to_plain()), ..plain }
            }
            State::Paused { kind, properties, pause } => Self {
                change: Some(kind.word().into()),
                properties: Some(properties.to_plain()),
                pause: Some(Arc::unwrap_or_clone(pause)),
                ..plain
            },
            State::LeftAlone(reason) => Self { reason: Some(reason.to_string()), ..plain },
        }
    }
}

impl TryFrom<FlatState> for State {
    type Error = String;

    fn try_from(flat: FlatState) -> Result<Self, String> {
        let word = flat.name;
        let state = || {
            Some(match &*word {
                "not_visited" => State::Waiting,
                "ok" => State::Held,
                "failed" => State::Failed(Arc::new(flat.failure?)),
                "ignored" => State::Ignored(Arc::new(flat.failure?)),
                "blocked" => State::Blocked(flat.by?.into()),
                "differs" => State::Differs {
                    kind: ChangeKind::named(&flat.change?)?,
                    properties: Plain::from_plain(flat.properties?)?,
                },
                "paused" => State::Paused {
                    kind: ChangeKind::named(&flat.change?)?,
                    properties: Plain::from_plain(flat.properties?)?,
                    pause: Arc::new(flat.pause?),
                },
                "skipped" => State::LeftAlone(flat.reason?.into()),
                _ => return None,
            })
        };
        state().ok_or_else(|| format!("unknown state `{word}`, or a field of it is missing"))
    }
}

/// A failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// The kind of error, such as `denied`.
    #[serde(with = "via")]
    pub kind: Name,
    /// What was attempted, and why it failed, on one line. Of a resource with secrets, only the kind.
    pub message: String,
    /// Advice.
    pub hint: Option<String>,
}

/// A scheduled attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Next {
    /// The time.
    #[serde(with = "via")]
    pub at: SystemTime,
    /// Why it is delayed.
    pub reason: String,
}

/// The polling of a resource that cannot be watched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Polling {
    /// Why it cannot be watched.
    pub reason: String,
    /// The polling interval.
    #[serde(rename = "interval_ms", with = "via")]
    pub interval: Duration,
}

/// A change that was made. It names properties, never values, so that no secret can be in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LastChange {
    /// The time.
    #[serde(with = "via")]
    pub at: SystemTime,
    /// The kind of change.
    #[serde(with = "via")]
    pub change: ChangeKind,
    /// The changed properties.
    #[serde(with = "via")]
    pub properties: Arc<[Name]>,
    /// The reason for the visit.
    pub cause: Why,
}

/// A visit that ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// The time of its end.
    #[serde(with = "via")]
    pub at: SystemTime,
    /// The duration.
    #[serde(rename = "duration_ms", with = "via")]
    pub duration: Duration,
    /// The reason for the visit.
    pub cause: Why,
}

/// The reason for a visit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// `declared`, `notified`, or the event that triggered it.
    #[serde(with = "via")]
    pub reason: Name,
    /// For people, after "because".
    pub message: String,
}
