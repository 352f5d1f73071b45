//! The events of the engine: one ordered stream. Terminal, JSON and reports read it.

use std::time::Duration;

pub use uphold_model::ChangeKind;
use uphold_model::{Action, Difference, DifferenceCause, DifferenceCauses, Map, Name, ResourceId, Value};
use uphold_resource::Level;

use super::pause::Pause;
pub use crate::cause::{Cause, Notifiers, Wake};
use crate::failure::Failure;
use crate::summary::Summary;

/// One event.
#[derive(Clone, Debug)]
pub struct Event {
    /// Time since the run began.
    pub at: Duration,
    /// The event itself.
    pub kind: EventKind,
}

/// The kinds of events.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum EventKind {
    /// A run begins.
    RunStarted {
        /// Whether it plans or applies.
        mode: Mode,
        /// The number of actions.
        actions: usize,
    },
    /// An action begins.
    Started {
        /// The resource.
        resource: ResourceId,
        /// The action.
        action: Action,
        /// Why it is done.
        cause: Cause,
    },
    /// An action failed, and will be retried.
    Retrying {
        /// The resource.
        resource: ResourceId,
        /// Why it failed.
        failure: Box<Failure>,
        /// The number of attempts so far.
        tried: u32,
        /// The time until the next attempt.
        after: Duration,
    },
    /// An action is not ready, and will be visited again. Its dependents wait.
    Waiting {
        /// The resource.
        resource: ResourceId,
        /// The reason.
        reason: String,
        /// The time until the next visit.
        after: Duration,
    },
    /// Resources of one kind are changed in a batch.
    Merged {
        /// All of them.
        resources: Vec<ResourceId>,
    },
    /// A message of a kind.
    Message {
        /// The resource.
        resource: ResourceId,
        /// How important it is.
        level: Level,
        /// The message.
        text: String,
    },
    /// An action is over.
    Finished {
        /// The resource.
        resource: ResourceId,
        /// The action.
        action: Action,
        /// Why it was done.
        cause: Cause,
        /// The result.
        verdict: Verdict,
        /// How long it took.
        took: Duration,
    },
    /// An output, in written order: after the last action, before the end.
    Output {
        /// Its name.
        name: Name,
        /// Its value, as far as it is known: in a plan, parts of it are not. After an apply, an unknown value has the reason.
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
        /// The number of watched resources.
        resources: usize,
    },
    /// An action that failed will be visited again, even if nothing is reported.
    BackingOff {
        /// The resource.
        resource: ResourceId,
        /// The number of failures in a row.
        failures: u32,
        /// The time until the next visit.
        after: Duration,
    },
    /// A resource cannot be watched, and is polled instead.
    Blind {
        /// The resource.
        resource: ResourceId,
        /// Why.
        because: String,
        /// The polling interval.
        every: Duration,
    },
    /// A resource that could not be watched can be watched again.
    Sighted {
        /// The resource.
        resource: ResourceId,
    },
    /// Reports of the machine were lost: everything is checked.
    ReportsLost,
    /// Another program is watched from now on. Actions that are the same as in the previous one go on as they were.
    Swapped {
        /// The number of the program, as returned by [`Control::swap`](crate::Control::swap).
        generation: u64,
        /// The number of actions that go on as they were.
        kept: usize,
        /// The number of actions that are visited, because they are new or different.
        visited: usize,
        /// The number of actions that are no longer declared.
        left: usize,
    },
}

/// Whether a run plans or applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Load, compare, report. Nothing is changed.
    Plan,
    /// Load, compare, change, load again.
    Apply,
}

/// The result of a visit.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It was as declared.
    Unchanged,
    /// It was changed, and is now as declared.
    Changed(Change),
    /// It was changed, and the failed verification of its group put that back. It follows the verdict of the change.
    PutBack(Change),
    /// It would be changed.
    WouldChange(Change),
    /// Whether it would be changed is not known before something else is applied.
    MayChange {
        /// The resource or value that it waits for.
        waits_for: Name,
        /// Why it fails as long as that is not applied.
        because: Option<Box<Failure>>,
        /// As of [`Change::inputs`], as far as they are known.
        inputs: Map,
    },
    /// It differs, and is not changed: it is only audited.
    Differs(Change),
    /// It differs, and is not changed: it is paused.
    Paused(Change, Pause),
    /// It failed.
    Failed(Failure),
    /// It failed, and `ignore_failure` is set.
    Ignored(Failure),
    /// It did not run, because of a failure, a limit or a stop.
    Skipped(Skip),
    /// It was skipped, because of a condition.
    NotWanted(Unwanted),
}

/// Why an action was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unwanted {
    /// Its `when` is false.
    When,
    /// Its guard refuses.
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
    /// It runs only if the run succeeds, which it did not.
    RunFailed,
}

impl Unwanted {
    /// The reason in a few words.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Unwanted::When => "its `when` is false",
            Unwanted::Guard { of_group: true, .. } => "the guard of its group refuses",
            Unwanted::Guard { .. } => "its guard refuses",
            Unwanted::NothingChanged => "nothing changed that its group subscribes to",
            Unwanted::RunFailed => "the run failed",
        }
    }
}

/// A change that was made, or would be.
#[derive(Clone, Debug)]
pub struct Change {
    /// The kind of change.
    pub kind: ChangeKind,
    /// Property by property.
    pub differences: Vec<Difference>,
    /// Why they differ.
    pub causes: DifferenceCauses,
    /// Exports that are only known after the change. Empty once it was made.
    pub unknown: Vec<&'static str>,
    /// Names and settings that were computed from other resources, and digests of contents that are read: besides the
    /// differences, they decide what the change does. For saved plans; empty once it was made.
    pub inputs: Map,
}

impl Change {
    /// Whether a visit that was not made for drift, such as one after a reload, found nothing but drift.
    pub fn is_found_drift(&self, cause: &Cause) -> bool {
        *cause == Cause::Written && self.causes.whole == DifferenceCause::Drift
    }

    /// The verdict of a change that was made: nothing about it is unknown any more.
    pub(crate) fn applied(self) -> Verdict {
        Verdict::Changed(Self { unknown: Vec::new(), inputs: Map::new(), ..self })
    }
}

/// Why a visit was not made.
#[derive(Clone, Debug, PartialEq)]
pub enum Skip {
    /// A dependency failed: the root cause.
    FailedBefore(ResourceId),
    /// The run was stopped before it was visited.
    Stopped,
    /// The limit of failures was reached.
    TooManyFailures,
    /// The limit of changes was reached.
    TooManyChanges,
    /// It differs from the saved plan: how.
    NotAsPlanned(String),
}
