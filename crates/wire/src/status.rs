//! Answers of a running watch: `docs/status.md` is the promise.
//!
//! Fields are in the order of their names, which is the order in which they are written.

use serde::{Deserialize, Serialize};

use crate::object::{Resource, Word};
use crate::read::Format;
use crate::version::Version;

/// The version of all answers.
pub const VERSION: Version = Version::new(1, 0);

/// One line that asks for something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// `status`, `overview`, `follow`, `reload` or `recheck`.
    pub ask: Word,
}

impl Request {
    /// The request in a line; none if it is something else.
    pub fn read(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }
}

/// A request was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// Which one.
    pub ask: Word,
    /// The version of the answer.
    pub format_version: Version,
    /// `accepted`.
    pub r#type: Word,
}

/// There is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// Why, for machines.
    pub error: Word,
    /// The version of the answer.
    pub format_version: Version,
    /// Why, for people.
    pub message: String,
    /// `error`.
    pub r#type: Word,
}

impl Refused {
    /// A refusal in these words.
    pub fn new(error: &'static str, message: &str) -> Self {
        let (error, r#type) = (error.into(), "error".into());
        Self { error, format_version: VERSION, message: message.to_owned(), r#type }
    }

    /// The refusal in a line; none if it is another answer.
    pub fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok().filter(|refused: &Self| refused.r#type == "error")
    }
}

/// Nothing more will be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// `end`.
    pub r#type: Word,
}

/// What a watch knows, as a whole or in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// When the watch began.
    pub began: String,
    /// What is visited right now.
    pub busy: Vec<ResourceStatus>,
    /// The version of the answer.
    pub format_version: Version,
    /// Which configuration is held.
    pub generation: u64,
    /// What happened lately, oldest first.
    pub happenings: Vec<Happening>,
    /// How many troubles are not told.
    pub more_troubles: usize,
    /// What the watch is doing.
    pub phase: Phase,
    /// The process that watches.
    pub pid: u32,
    /// Why the configuration as it is written now is not held.
    pub refused: Option<Refusal>,
    /// When another configuration was taken up last.
    pub swapped: Option<String>,
    /// The numbers.
    pub totals: Totals,
    /// What is not as it should be.
    pub troubles: Vec<ResourceStatus>,
    /// `status` or `overview`.
    pub r#type: Word,
    /// Every action, in written order; an overview has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resources: Option<Vec<ResourceStatus>>,
}

impl Format for Status {
    const NAME: &'static str = "answer of the watch";
    const VERSION: Version = VERSION;
}

/// What a watch is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// While it converges: how many actions are done with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<usize>,
    /// While it converges: of how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
    /// While it watches: since when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// `starting`, `converging` or `watching`.
    pub word: Word,
}

/// A configuration that was not taken up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// When.
    pub at: String,
    /// What is wrong with it.
    pub message: String,
}

/// How many resources are in which state now, and how often things happened since the watch began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// All actions.
    pub all: usize,
    /// Looked at now and then, because they cannot be watched.
    pub blind: usize,
    /// Cannot be visited, because what they stand on failed.
    pub blocked: usize,
    /// Visited right now, whatever their state.
    pub busy: usize,
    /// Visits that changed something.
    pub changes: u64,
    /// Differ, and are only audited.
    pub differ: usize,
    /// How often something that was as declared had been changed by something else.
    pub drifted: u64,
    /// Went wrong.
    pub failed: usize,
    /// Visits that failed.
    pub failures: u64,
    /// As declared.
    pub held: usize,
    /// Went wrong, which is ignored.
    pub ignored: usize,
    /// Left alone.
    pub left_alone: usize,
    /// Still to be done with: not visited yet, visited right now, or to be tried again.
    pub pending: usize,
    /// How often another configuration was refused.
    pub refusals: u64,
    /// How often that was put right.
    pub repaired: u64,
    /// How often reports of the machine were lost.
    pub reports_lost: u64,
    /// How often another configuration was taken up.
    pub swaps: u64,
    /// Visits that ended.
    pub visits: u64,
    /// Not visited yet.
    pub waiting: usize,
}

/// What is known of one action on one resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResourceStatus {
    /// The action.
    pub action: String,
    /// Why it is checked now and then instead of being watched.
    pub blind: Option<Blind>,
    /// Since when it is visited, if it is right now.
    pub busy_since: Option<String>,
    /// How many visits changed something.
    pub changes: u32,
    /// How often something else changed it.
    pub drifted: u32,
    /// How many times in a row it has failed.
    pub failures: u32,
    /// What was changed last.
    pub last_change: Option<LastChange>,
    /// The last visit that ended.
    pub last_visit: Option<Visit>,
    /// When it is visited again, if that is set.
    pub next: Option<Next>,
    /// How often drift was repaired.
    pub repaired: u32,
    /// The resource.
    pub resource: Resource,
    /// Since when its state is so.
    pub since: String,
    /// How the last visit left it.
    pub state: State,
    /// How many visits there were.
    pub visits: u32,
}

/// How a visit left a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The resource that blocks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Resource>,
    /// What would be done about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Word>,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Trouble>,
    /// Which properties differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub properties: Option<Vec<String>>,
    /// Why it is left alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// For people.
    pub text: String,
    /// `waiting`, `held`, `failed`, `ignored`, `blocked`, `differs` or `left_alone`.
    pub word: Word,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// Advice.
    pub hint: Option<String>,
    /// What sort of failure.
    pub kind: String,
    /// What was attempted, and why it failed.
    pub message: String,
}

/// Another visit that is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Next {
    /// When.
    pub at: String,
    /// Why not now.
    pub reason: String,
}

/// Something cannot be watched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blind {
    /// Why.
    pub because: String,
    /// How often it is checked instead.
    pub every_ms: f64,
}

/// A change that was made. It names properties, never values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastChange {
    /// When.
    pub at: String,
    /// What sort of change.
    pub change: Word,
    /// Which properties.
    pub properties: Vec<String>,
    /// Why it was visited.
    pub why: Why,
}

/// A visit that ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// When.
    pub at: String,
    /// How long it took.
    pub took_ms: f64,
    /// Why it was made.
    pub why: Why,
}

/// Why something was visited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// For machines.
    pub reason: String,
    /// For people.
    pub text: String,
}

/// Something that a person may want to know of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Happening {
    /// When.
    #[serde(default)]
    pub at: String,
    /// Why something cannot be watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// What sort of change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Word>,
    /// Which configuration is held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<u64>,
    /// How many actions go on as they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<usize>,
    /// How many are no longer declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<usize>,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Which properties.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub properties: Option<Vec<String>>,
    /// Which resource.
    pub resource: Option<Resource>,
    /// How many resources are watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resources: Option<usize>,
    /// How long it took.
    pub took_ms: Option<f64>,
    /// How many actions are visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visited: Option<usize>,
    /// Why the resource was visited.
    pub why: Option<Why>,
    /// What happened.
    pub word: Word,
}
