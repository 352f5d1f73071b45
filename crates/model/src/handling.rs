//! Meta arguments that affect how a run handles a resource: notifications, guards, retries, locks and so on.

use std::num::NonZeroU32;
use std::time::Duration;

use super::id::Name;
use crate::declaration::{Action, Reference, Term};
use crate::place::Place;

/// Meta arguments that affect what happens before, during and after a visit.
#[derive(Clone, Debug, Default)]
pub struct Handling {
    /// The arguments that were set, and their places.
    pub written: Vec<(Name, Place)>,
    /// Notifications sent when this resource changes.
    pub notifies: Vec<Notification>,
    /// Resources whose change notifies this one.
    pub subscribes: Vec<Notification>,
    /// Conditions that must hold, or the resource is skipped.
    pub guards: Vec<Guard>,
    /// A condition to wait for before the visit.
    pub not_until: Option<NotUntil>,
    /// How failures are retried.
    pub retry: Option<Retry>,
    /// The maximum duration of a visit, including all waiting.
    pub timeout: Option<Duration>,
    /// The interval of regular checks in `watch`.
    pub poll: Option<Duration>,
    /// The maximum rate of visits in `watch`.
    pub limit: Option<Limit>,
    /// Locks that are held during the visit.
    pub locks: Vec<Lock>,
    /// Whether the resource is only checked and reported, never changed.
    pub audit: bool,
    /// Whether its failure neither skips its dependents nor fails the run.
    pub ignore_failure: bool,
}

impl Handling {
    /// Whether a group runs only after a change. An empty `subscribes` counts: then the group never runs.
    pub fn is_subscribed(&self) -> bool {
        !self.subscribes.is_empty() || self.written.iter().any(|(word, _)| &**word == "subscribes")
    }
}

/// A notification from one resource to another.
#[derive(Clone, Debug)]
pub struct Notification {
    /// The other resource: the notified one for `notifies`, the notifying one for `subscribes`.
    pub other: Reference,
    /// The action that the notified resource runs.
    pub action: Action,
    /// When it is delivered.
    pub moment: Moment,
}

/// When a notification is delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Moment {
    /// Before the change, once the resource is known to differ.
    Before,
    /// Right after the change, before any dependent runs.
    Immediately,
    /// At the end of the innermost group that contains both resources, once for all notifiers, even if something
    /// failed.
    #[default]
    Delayed,
    /// Like `Delayed`, unless the run has failed by then.
    OnSuccess,
}

impl Moment {
    /// All of them.
    pub const ALL: [Moment; 4] = [Moment::Before, Moment::Immediately, Moment::Delayed, Moment::OnSuccess];

    /// Its name in a configuration.
    pub fn word(self) -> &'static str {
        match self {
            Moment::Before => "before",
            Moment::Immediately => "immediately",
            Moment::Delayed => "delayed",
            Moment::OnSuccess => "on_success",
        }
    }

    /// The moment of this name. `immediate` is accepted for `immediately`.
    pub fn named(word: &str) -> Option<Moment> {
        let word = if word == "immediate" { "immediately" } else { word };
        Moment::ALL.into_iter().find(|moment| moment.word() == word)
    }
}

/// A condition that is evaluated right before the resource is visited.
#[derive(Clone, Debug)]
pub struct Guard {
    /// A bool, or a command: a string for the shell or a list of arguments.
    pub condition: Term,
    /// The result that lets the resource run: true for `only_if`, false for `not_if`.
    pub expected: bool,
    /// How the command is run.
    pub command: GuardCommand,
    /// Where it was written.
    pub place: Option<Place>,
}

impl Guard {
    /// The name of the meta argument.
    pub fn word(&self) -> &'static str {
        if self.expected { "only_if" } else { "not_if" }
    }
}

/// How a guard's command is run. Fields that are none are inherited from Uphold's own process.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GuardCommand {
    /// Working directory.
    pub dir: Option<Name>,
    /// User to run as.
    pub user: Option<Name>,
    /// Variables added to the environment.
    pub env: Vec<(Name, Name)>,
    /// After this time the command is killed and counts as false.
    pub timeout: Option<Duration>,
}

/// Waiting for a condition.
#[derive(Clone, Debug)]
pub struct NotUntil {
    /// The condition; a command that cannot be run or times out counts as false.
    pub guard: Guard,
    /// The interval between checks.
    pub every: Duration,
}

/// Retries after a failure.
#[derive(Clone, Debug, PartialEq)]
pub struct Retry {
    /// The number of retries.
    pub times: u32,
    /// The delay before the first retry.
    pub delay: Duration,
    /// The factor by which each further delay grows.
    pub backoff: f64,
    /// The maximum delay.
    pub longest: Duration,
    /// The largest random change of a delay, as a fraction from 0 to 1.
    pub jitter: f64,
    /// The kinds of failure that are retried; all in [`FAILURES`] if it is empty.
    pub on: Vec<Name>,
}

impl Retry {
    /// This many retries, one second apart.
    pub fn times(times: u32) -> Self {
        let delay = Duration::from_secs(1);
        Self { times, delay, backoff: 1.0, longest: Duration::from_secs(300), jitter: 0.0, on: Vec::new() }
    }
}

/// The kinds of failure that a retry may avoid, by name. Mistakes in the configuration are never retried.
pub const FAILURES: &[&str] = &[
    "denied",
    "failed",
    "missing",
    "parent_missing",
    "rejected",
    "timed_out",
    "unsafe_link",
    "unsupported",
    "wrong_type",
];

/// A maximum rate of visits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The number of visits.
    pub times: u32,
    /// The period.
    pub per: Duration,
}

/// A lock that a limited number of resources can hold at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lock {
    /// Its name; resources that use the same name share the lock.
    pub name: Name,
    /// The maximum number of holders.
    pub most: NonZeroU32,
}
