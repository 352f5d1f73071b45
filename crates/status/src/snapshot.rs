//! What a running watch knows at one moment, as whoever asks gets it.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uphold_engine::ChangeKind;
use uphold_model::{Action, Name, ResourceId};

use crate::happening::Happening;
use uphold_wire::status::Totals;

/// Everything that is known. Costs as much as there are resources; a view that draws often takes an
/// [`Overview`] and a [`Page`].
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The whole in short; its troubles are all of them.
    pub overview: Overview,
    /// Every action, in written order.
    pub resources: Vec<ResourceStatus>,
}

/// The whole in short: it does not grow with the number of resources.
#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    /// When the watch began.
    pub began: SystemTime,
    /// The process that watches.
    pub pid: u32,
    /// What it is doing.
    pub phase: Phase,
    /// Which configuration is held: 0 is the one that it began with.
    pub generation: u64,
    /// When another configuration was taken up last.
    pub swapped: Option<SystemTime>,
    /// Why the configuration as it is written now is not the one that is held, if it was refused.
    pub refused: Option<Refusal>,
    /// The numbers.
    pub totals: Totals,
    /// What is not as it should be, in written order: failed, blocked, differing or blind.
    pub troubles: Vec<ResourceStatus>,
    /// How many troubles are not among those.
    pub more_troubles: usize,
    /// What is visited right now.
    pub busy: Vec<ResourceStatus>,
    /// What happened lately, oldest first; [`HAPPENINGS`](crate::HAPPENINGS) at most.
    pub happenings: Vec<Arc<Happening>>,
}

/// A part of the list of resources.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The part, in written order.
    pub resources: Vec<ResourceStatus>,
    /// How many there are, before and after this part included.
    pub of: usize,
}

/// What a watch is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It has not begun.
    Starting,
    /// It visits what it has not seen yet.
    Converging {
        /// How many actions are done with.
        done: usize,
        /// Of how many.
        of: usize,
    },
    /// Everything was visited, and is held from then on.
    Watching {
        /// Since when; a new configuration does not begin anew.
        since: SystemTime,
    },
}

/// A configuration that was not taken up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// When.
    pub at: SystemTime,
    /// What is wrong with it.
    pub message: String,
}

/// What is known of one action on one resource.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceStatus {
    /// The resource.
    pub resource: ResourceId,
    /// The action.
    pub action: Action,
    /// How the last visit left it.
    pub state: State,
    /// Since when it is so.
    pub since: SystemTime,
    /// Since when it is visited, if it is right now.
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
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
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

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The sort of failure, such as `denied`.
    pub kind: Name,
    /// What was attempted, and why it failed, on one line. Of a resource with secrets, only the sort.
    pub message: String,
    /// Advice.
    pub hint: Option<String>,
}

/// Another look that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// When.
    pub at: SystemTime,
    /// Why not now.
    pub reason: String,
}

/// Something cannot be watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blind {
    /// Why.
    pub because: String,
    /// How often it is looked at instead.
    pub every: Duration,
}

/// A change that was made. It names properties, never values, so that no secret can be in it.
#[derive(Clone, Debug, PartialEq)]
pub struct LastChange {
    /// When.
    pub at: SystemTime,
    /// What sort of change.
    pub kind: ChangeKind,
    /// Which properties.
    pub properties: Arc<[Name]>,
    /// Why it was looked at.
    pub why: Why,
}

/// A visit that ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Visit {
    /// When it ended.
    pub at: SystemTime,
    /// How long it took.
    pub took: Duration,
    /// Why it was made.
    pub why: Why,
}

/// Why something was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// For machines: `written`, `notified`, or the word of a [`Wake`](uphold_engine::Wake).
    pub word: Name,
    /// For a person, after "because".
    pub text: String,
}
