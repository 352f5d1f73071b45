//! What a watch knows of one action on one resource.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use uphold_model::{Action, ChangeKind, Name, ResourceId};

use super::via::{self, Plain};
use crate::object::{Resource, Word};

/// What is known of one action on one resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResourceStatus {
    /// The resource.
    #[serde(with = "via")]
    pub resource: ResourceId,
    /// The action.
    #[serde(with = "via")]
    pub action: Action,
    /// How the last visit left it.
    pub state: State,
    /// Since when it is so.
    #[serde(with = "via")]
    pub since: SystemTime,
    /// Since when it is visited, if it is right now.
    #[serde(default, rename = "busy_since", with = "via")]
    pub busy: Option<SystemTime>,
    /// When it is looked at again, if that is set: it failed, or is not ready.
    pub next: Option<Next>,
    /// Why it is looked at now and then instead of being watched, if it is.
    pub blind: Option<Arc<Blind>>,
    /// What was changed last.
    pub last_change: Option<LastChange>,
    /// The last visit that ended.
    pub last_visit: Option<Visit>,
    /// How many visits there were.
    pub visits: u32,
    /// How many of them changed something.
    pub changes: u32,
    /// How often something else changed it, after it had been as declared.
    pub drifted: u32,
    /// How often that was put right.
    pub repaired: u32,
    /// How many times in a row it has failed.
    pub failures: u32,
}

impl ResourceStatus {
    /// Whether it is not as it should be, or cannot be watched.
    pub fn is_trouble(&self) -> bool {
        self.state.is_trouble() || self.blind.is_some()
    }

    /// Whether something is still to be done: its first visit, the rest of this one, or another try.
    pub fn is_pending(&self) -> bool {
        self.busy.is_some() || self.next.is_some() || matches!(self.state, State::Waiting)
    }
}

/// How a visit left a resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "FlatState", try_from = "FlatState")]
pub enum State {
    /// It was not visited yet.
    Waiting,
    /// It is as declared.
    Held,
    /// It went wrong.
    Failed(Arc<Trouble>),
    /// It went wrong, which is ignored.
    Ignored(Arc<Trouble>),
    /// What it stands on failed: this is the root cause.
    Blocked(ResourceId),
    /// It differs, and is left so: it is only audited.
    Differs {
        /// What would be done about it.
        kind: ChangeKind,
        /// Which properties differ.
        properties: Arc<[Name]>,
    },
    /// It is left alone, for this reason.
    LeftAlone(Arc<str>),
}

impl State {
    /// Its name, for machines.
    pub fn word(&self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Held => "held",
            State::Failed(_) => "failed",
            State::Ignored(_) => "ignored",
            State::Blocked(_) => "blocked",
            State::Differs { .. } => "differs",
            State::LeftAlone(_) => "left_alone",
        }
    }

    /// Whether it is not as it should be.
    pub fn is_trouble(&self) -> bool {
        matches!(self, State::Failed(_) | State::Blocked(_) | State::Differs { .. })
    }
}

/// For a person, after the resource and a colon.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::Waiting => f.write_str("waits for its first visit"),
            State::Held => f.write_str("held"),
            State::Failed(trouble) => write!(f, "failed: {}", trouble.message),
            State::Ignored(trouble) => write!(f, "failed, which is ignored: {}", trouble.message),
            State::Blocked(by) => write!(f, "blocked, because {by} failed"),
            State::Differs { properties, .. } if properties.is_empty() => f.write_str("differs"),
            State::Differs { properties, .. } => write!(f, "differs: {}", properties.join(", ")),
            State::LeftAlone(reason) => write!(f, "left alone: {reason}"),
        }
    }
}

/// A state as it is written: with its data beside the word, and words for people.
#[derive(Default, Serialize, Deserialize)]
struct FlatState {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<Resource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    change: Option<Word>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<Trouble>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    properties: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    text: String,
    word: Word,
}

impl From<State> for FlatState {
    fn from(state: State) -> Self {
        let plain = Self { word: state.word().into(), text: state.to_string(), ..Self::default() };
        match state {
            State::Waiting | State::Held => plain,
            State::Failed(failure) | State::Ignored(failure) => {
                Self { failure: Some(Arc::unwrap_or_clone(failure)), ..plain }
            }
            State::Blocked(by) => Self { by: Some((&by).into()), ..plain },
            State::Differs { kind, properties } => {
                Self { change: Some(kind.word().into()), properties: Some(properties.to_plain()), ..plain }
            }
            State::LeftAlone(reason) => Self { reason: Some(reason.to_string()), ..plain },
        }
    }
}

impl TryFrom<FlatState> for State {
    type Error = String;

    fn try_from(flat: FlatState) -> Result<Self, String> {
        let word = flat.word;
        let state = || {
            Some(match &*word {
                "waiting" => State::Waiting,
                "held" => State::Held,
                "failed" => State::Failed(Arc::new(flat.failure?)),
                "ignored" => State::Ignored(Arc::new(flat.failure?)),
                "blocked" => State::Blocked(flat.by?.into()),
                "differs" => State::Differs {
                    kind: ChangeKind::named(&flat.change?)?,
                    properties: Plain::from_plain(flat.properties?)?,
                },
                "left_alone" => State::LeftAlone(flat.reason?.into()),
                _ => return None,
            })
        };
        state().ok_or_else(|| format!("there is no state `{word}` with these fields"))
    }
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// The sort of failure, such as `denied`.
    #[serde(with = "via")]
    pub kind: Name,
    /// What was attempted, and why it failed, on one line. Of a resource with secrets, only the sort.
    pub message: String,
    /// Advice.
    pub hint: Option<String>,
}

/// Another look that is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Next {
    /// When.
    #[serde(with = "via")]
    pub at: SystemTime,
    /// Why not now.
    pub reason: String,
}

/// Something cannot be watched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blind {
    /// Why.
    pub because: String,
    /// How often it is looked at instead.
    #[serde(rename = "every_ms", with = "via")]
    pub every: Duration,
}

/// A change that was made. It names properties, never values, so that no secret can be in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LastChange {
    /// When.
    #[serde(with = "via")]
    pub at: SystemTime,
    /// What sort of change.
    #[serde(rename = "change", with = "via")]
    pub kind: ChangeKind,
    /// Which properties.
    #[serde(with = "via")]
    pub properties: Arc<[Name]>,
    /// Why it was looked at.
    pub why: Why,
}

/// A visit that ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// When it ended.
    #[serde(with = "via")]
    pub at: SystemTime,
    /// How long it took.
    #[serde(rename = "took_ms", with = "via")]
    pub took: Duration,
    /// Why it was made.
    pub why: Why,
}

/// Why something was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// For machines: `written`, `notified`, or why a watch woke it.
    #[serde(rename = "reason", with = "via")]
    pub word: Name,
    /// For a person, after "because".
    pub text: String,
}
