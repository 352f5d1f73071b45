//! The events of the engine: one ordered stream. Terminal, JSON and reports read it.

use std::fmt;
use std::time::{Duration, SystemTime};

pub use uphold_model::ChangeKind;
use uphold_model::{Action, Difference, Map, Moment, Name, ResourceId, Value};
use uphold_resource::{Interest, Level};

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

/// Why an action is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It is in the configuration.
    Written,
    /// Another resource changed, and notified this one.
    Notified {
        /// The notifiers. A group has no id: then it is the last of its members that changed.
        by: Notifiers,
        /// When the notification is delivered.
        moment: Moment,
    },
    /// An earlier run was to notify it, and did not.
    Pending {
        /// The address of the resource that changed, which may no longer be declared.
        by: Name,
        /// When.
        since: SystemTime,
    },
    /// It is watched, and something may have changed.
    Woken(Wake),
}

/// The resources that caused one notified action: some of them by name, the others as a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notifiers {
    /// The one that notified first.
    pub first: ResourceId,
    others: Vec<ResourceId>,
    more: usize,
}

impl Notifiers {
    /// The number of notifiers that are named.
    const NAMED: usize = 3;

    /// The first one, and the others in the order of the configuration.
    pub fn new(first: ResourceId, others: impl ExactSizeIterator<Item = ResourceId>) -> Self {
        // One more than is named: the first one may have to give way in `sort_by_key`.
        let more = others.len().saturating_sub(Self::NAMED);
        Self { first, others: others.take(Self::NAMED).collect(), more }
    }

    /// Puts them into an order that does not depend on which one notified first.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl Fn(&ResourceId) -> K) {
        self.others.push(self.first.clone());
        self.others.sort_by_key(key);
        self.first = self.others.remove(0);
    }

    /// The others that are named.
    pub fn others(&self) -> &[ResourceId] {
        &self.others[..self.others.len().min(Self::NAMED - 1)]
    }

    /// The number of those that are not named.
    pub fn more(&self) -> usize {
        self.more + self.others.len() - self.others().len()
    }
}

impl From<ResourceId> for Notifiers {
    fn from(only: ResourceId) -> Self {
        Self { first: only, others: Vec::new(), more: 0 }
    }
}

/// `a`, `a and b`, `a, b and c`, or `a, b, c and 4 more`.
impl fmt::Display for Notifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        let (others, more) = (self.others(), self.more());
        for (at, other) in others.iter().enumerate() {
            let is_last = at + 1 == others.len() && more == 0;
            write!(f, "{}{other}", if is_last { " and " } else { ", " })?;
        }
        if more == 0 { Ok(()) } else { write!(f, " and {more} more") }
    }
}

impl Cause {
    /// Whether a difference that is found then is drift: made from outside, and not by this configuration.
    pub fn is_outside(&self) -> bool {
        match self {
            Cause::Written | Cause::Notified { .. } | Cause::Pending { .. } => false,
            Cause::Woken(wake) => !matches!(wake, Wake::Received(_) | Wake::Freed(_) | Wake::Subscribed(_)),
        }
    }
}

/// Why a watched resource is visited again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wake {
    /// The machine reported a change of this.
    Reported(Interest),
    /// A value that it reads changed: of this resource.
    Received(ResourceId),
    /// A dependency has recovered: this resource.
    Freed(ResourceId),
    /// Its group subscribes to this resource, which changed.
    Subscribed(ResourceId),
    /// Its `poll`, or the interval of its kind.
    Polled,
    /// It is time to check everything.
    Rechecked,
    /// Reports were lost.
    ReportsLost,
    /// It failed, and is retried.
    Retried,
}

impl Wake {
    /// Its name in machine-readable output.
    pub fn word(&self) -> &'static str {
        match self {
            Wake::Reported(_) => "change_detected",
            Wake::Received(_) => "value_changed",
            Wake::Freed(_) => "dependency_recovered",
            Wake::Subscribed(_) => "subscribed",
            Wake::Polled => "polled",
            Wake::Rechecked => "rechecked",
            Wake::ReportsLost => "events_lost",
            Wake::Retried => "retried",
        }
    }
}

/// For users, after "because".
impl fmt::Display for Wake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wake::Reported(what) => write!(f, "{what} changed"),
            Wake::Received(from) => write!(f, "{from} has a new value"),
            Wake::Freed(from) => write!(f, "{from} has recovered"),
            Wake::Subscribed(to) => write!(f, "{to} changed"),
            Wake::Polled => f.write_str("it is polled"),
            Wake::Rechecked => f.write_str("everything is rechecked"),
            Wake::ReportsLost => f.write_str("reports were lost"),
            Wake::Retried => f.write_str("it failed before"),
        }
    }
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
    /// Exports that are only known after the change. Empty once it was made.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_three_notifiers() {
        let of = |names: &str| {
            let mut ids = names.split(' ').map(|name| ResourceId::new("f", name)).collect::<Vec<_>>();
            Notifiers::new(ids.remove(0), ids.into_iter())
        };
        for (names, expected) in [
            ("a", "f.a"),
            ("b a", "f.b and f.a"),
            ("c a b", "f.c, f.a and f.b"),
            ("c a b d", "f.c, f.a, f.b and 1 more"),
            ("e a b c d f", "f.e, f.a, f.b and 3 more"),
        ] {
            assert_eq!(of(names).to_string(), expected);
        }
        let mut sorted = of("e a b c d f");
        sorted.sort_by_key(ToString::to_string);
        assert_eq!(sorted.to_string(), "f.a, f.b, f.c and 3 more");
    }
}
