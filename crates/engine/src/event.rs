//! What the engine says: one ordered stream. Terminal, JSON and reports are readers of it.

use std::fmt;
use std::time::Duration;

pub use uphold_model::ChangeKind;
use uphold_model::{Action, Difference, Map, Moment, Name, ResourceId, Value};
use uphold_resource::{Interest, Level};

use crate::failure::Failure;
use crate::summary::Summary;

/// Something happened.
#[derive(Clone, Debug)]
pub struct Event {
    /// Time since the run began.
    pub at: Duration,
    /// What.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum EventKind {
    /// A run begins.
    RunStarted {
        /// Whether it only looks.
        mode: Mode,
        /// How many actions there are.
        actions: usize,
    },
    /// An action is taken up.
    Started {
        /// The resource.
        resource: ResourceId,
        /// The action.
        action: Action,
        /// Why it is done.
        cause: Cause,
    },
    /// An action failed, and will be tried again.
    Retrying {
        /// The resource.
        resource: ResourceId,
        /// What went wrong.
        failure: Box<Failure>,
        /// How many times it was tried so far.
        tried: u32,
        /// How long until the next time.
        after: Duration,
    },
    /// An action is not ready, and will be looked at again. What stands on it waits.
    Waiting {
        /// The resource.
        resource: ResourceId,
        /// What it waits for.
        reason: String,
        /// How long until the next look.
        after: Duration,
    },
    /// Resources of one kind are changed in one go.
    Merged {
        /// All of them.
        resources: Vec<ResourceId>,
    },
    /// A kind has something to say.
    Message {
        /// The resource that says it.
        resource: ResourceId,
        /// How important it is.
        level: Level,
        /// What it says.
        text: String,
    },
    /// An action is done with, one way or another.
    Finished {
        /// The resource.
        resource: ResourceId,
        /// The action.
        action: Action,
        /// Why it was done.
        cause: Cause,
        /// How it went.
        verdict: Verdict,
        /// How long it took.
        took: Duration,
    },
    /// An output, in written order: after the last action, before the end.
    Output {
        /// Its name.
        name: Name,
        /// What it is, as far as known: a plan leaves some of it unknown. After an apply, an unknown value says why.
        value: Result<Value, Box<Failure>>,
    },
    /// An output that reads a resource outside the selection, and is left out.
    OutputLeftOut {
        /// Its name.
        name: Name,
    },
    /// The run is over.
    RunFinished(Summary),
    /// Every action was visited once: from now on they are visited when something may have changed.
    Watching {
        /// How many resources are held.
        resources: usize,
    },
    /// An action that failed will be looked at again, whether something is reported or not.
    BackingOff {
        /// The resource.
        resource: ResourceId,
        /// How many times in a row it has failed.
        failures: u32,
        /// How long until the next time.
        after: Duration,
    },
    /// A resource cannot be watched, and is looked at now and then instead.
    Blind {
        /// The resource.
        resource: ResourceId,
        /// Why.
        because: String,
        /// How often it is looked at.
        every: Duration,
    },
    /// A resource that could not be watched can be watched again.
    Sighted {
        /// The resource.
        resource: ResourceId,
    },
    /// Reports of the machine were lost: everything is looked at.
    ReportsLost,
    /// Another program is held from now on. What it has in common with the one before goes on as it was.
    Swapped {
        /// Which of the programs that [`Control::swap`](crate::Control::swap) was given.
        generation: u64,
        /// How many actions go on as they were.
        kept: usize,
        /// How many are visited, because they are new or different.
        visited: usize,
        /// How many are left alone from now on.
        left: usize,
    },
}

/// Why an action is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The configuration says so.
    Written,
    /// Another resource changed, and told this one.
    Notified {
        /// The resource that asked, or the first of those who did. A group has no id: then it is
        /// the last of its members that changed.
        by: ResourceId,
        /// When it was to be done.
        moment: Moment,
    },
    /// It is watched, and something may have changed.
    Woken(Wake),
}

impl Cause {
    /// Whether a difference that is found then was made by something else: nobody here asked for a change.
    pub fn is_outside(&self) -> bool {
        match self {
            Cause::Written | Cause::Notified { .. } => false,
            Cause::Woken(wake) => !matches!(wake, Wake::Received(_) | Wake::Freed(_) | Wake::Subscribed(_)),
        }
    }
}

/// Why something that is watched is looked at again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wake {
    /// The machine reported a change of this.
    Reported(Interest),
    /// A value that it reads changed: of this resource.
    Received(ResourceId),
    /// What it stands on is in order again: this resource.
    Freed(ResourceId),
    /// Its group subscribes to this resource, which changed.
    Subscribed(ResourceId),
    /// Its `poll`, or the interval of its kind.
    Polled,
    /// Everything is looked at now and then.
    Rechecked,
    /// Reports were lost.
    ReportsLost,
    /// It failed, and is tried again.
    Retried,
}

impl Wake {
    /// Its name, for machines.
    pub fn word(&self) -> &'static str {
        match self {
            Wake::Reported(_) => "reported",
            Wake::Received(_) => "received",
            Wake::Freed(_) => "freed",
            Wake::Subscribed(_) => "subscribed",
            Wake::Polled => "polled",
            Wake::Rechecked => "rechecked",
            Wake::ReportsLost => "reports_lost",
            Wake::Retried => "retried",
        }
    }
}

/// For a person, after "because".
impl fmt::Display for Wake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wake::Reported(what) => write!(f, "{what} changed"),
            Wake::Received(from) => write!(f, "{from} has another value"),
            Wake::Freed(from) => write!(f, "{from} is in order again"),
            Wake::Subscribed(to) => write!(f, "{to} changed"),
            Wake::Polled => f.write_str("it is looked at now and then"),
            Wake::Rechecked => f.write_str("everything is looked at now and then"),
            Wake::ReportsLost => f.write_str("reports were lost"),
            Wake::Retried => f.write_str("it failed before"),
        }
    }
}

/// Whether a run looks or acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Look, compare, report. Nothing is changed.
    Plan,
    /// Look, compare, change, look again.
    Apply,
}

/// How a visit went.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It was as declared.
    Unchanged,
    /// It was changed, and is now as declared.
    Changed(Change),
    /// It would be changed.
    WouldChange(Change),
    /// It cannot be told before something else was applied.
    MayChange {
        /// What it waits for.
        waits_for: Name,
        /// What is wrong as long as that is not done.
        because: Option<Box<Failure>>,
        /// As of [`Change::inputs`], as far as they are known.
        inputs: Map,
    },
    /// It differs, and is left so: it is only audited.
    Differs(Change),
    /// It went wrong.
    Failed(Failure),
    /// It went wrong, which is ignored.
    Ignored(Failure),
    /// It was not tried.
    Skipped(Skip),
    /// It was left alone.
    NotWanted(Unwanted),
}

/// Why something was left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unwanted {
    /// Its `when` does not hold.
    When,
    /// Its guard says so.
    Guard {
        /// `only_if` or `not_if`.
        word: &'static str,
        /// The command, if it is one and no secret.
        command: Option<String>,
        /// Whether it is the guard of a group around it.
        of_group: bool,
    },
    /// Nothing changed that the group around it subscribes to.
    NothingChanged,
    /// It was to be done if the run succeeded, which it did not.
    RunFailed,
}

impl Unwanted {
    /// In a few words.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Unwanted::When => "its `when` is false",
            Unwanted::Guard { of_group: true, .. } => "the guard of its group says so",
            Unwanted::Guard { .. } => "its guard says so",
            Unwanted::NothingChanged => "nothing changed that its group subscribes to",
            Unwanted::RunFailed => "the run failed",
        }
    }
}

/// What was, or would be, done.
#[derive(Clone, Debug)]
pub struct Change {
    /// What sort of change.
    pub kind: ChangeKind,
    /// Property by property.
    pub differences: Vec<Difference>,
    /// Exports that only the change will tell. Empty once it was made.
    pub unknown: Vec<&'static str>,
    /// Names and settings that were computed from other resources, and digests of contents that are read: besides the
    /// differences, they decide what the change does. For saved plans; empty once it was made.
    pub inputs: Map,
}

impl Change {
    /// The verdict of a change that was made: nothing about it is unknown any more.
    pub(crate) fn applied(self) -> Verdict {
        Verdict::Changed(Self { unknown: Vec::new(), inputs: Map::new(), ..self })
    }
}

/// Why a visit was not made.
#[derive(Clone, Debug, PartialEq)]
pub enum Skip {
    /// Something that it stands on failed: the root cause.
    FailedBefore(ResourceId),
    /// The run was stopped before it was visited.
    Stopped,
    /// So much had failed that the run was ended.
    TooManyFailures,
    /// The run had made as many changes as it may.
    TooManyChanges,
    /// It is not as it was when it was planned: what is different.
    NotAsPlanned(String),
}
