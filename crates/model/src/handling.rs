//! How a run handles a resource: what happens around its visit.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::declaration::{Action, Reference, Term};
use crate::id::Name;
use crate::place::Place;

/// Meta arguments that change what happens around a visit.
#[derive(Clone, Debug, Default)]
pub struct Handling {
    /// Which of them were written, and where.
    pub written: Vec<(Name, Place)>,
    /// Who is told when this resource changes.
    pub notifies: Vec<Notification>,
    /// Whose change makes this resource act.
    pub subscribes: Vec<Notification>,
    /// What must hold before it is touched.
    pub guards: Vec<Guard>,
    /// What is waited for before it is touched.
    pub not_until: Option<NotUntil>,
    /// How often it is tried again.
    pub retry: Option<Retry>,
    /// How long a visit may take, with all waiting.
    pub timeout: Option<Duration>,
    /// How often it is looked at although nothing reported a change.
    pub poll: Option<Duration>,
    /// How often it may be visited while it is watched.
    pub limit: Option<Limit>,
    /// What it holds while it is visited.
    pub locks: Vec<Lock>,
    /// Look and report, never change.
    pub audit: bool,
    /// Its failure keeps nobody back, and is no failure of the run.
    pub ignore_failure: bool,
}

impl Handling {
    /// Whether a group runs only after a change. A `subscribes` that names no resource counts: then nothing changes.
    pub fn is_subscribed(&self) -> bool {
        !self.subscribes.is_empty() || self.written.iter().any(|(word, _)| &**word == "subscribes")
    }
}

/// One resource tells another that it changed.
#[derive(Clone, Debug)]
pub struct Notification {
    /// The other resource: who is told, or whose change counts.
    pub other: Reference,
    /// What is done by the one that is told.
    pub action: Action,
    /// When it is done.
    pub moment: Moment,
}

/// When a notified action is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Moment {
    /// Before the change, once it is clear that there will be one.
    Before,
    /// Right after the change, before anything that stands on it.
    Immediately,
    /// At the end of the group that holds both, once for all who asked, even if something failed.
    #[default]
    Delayed,
    /// The same, unless the run has failed by then.
    OnSuccess,
}

impl Moment {
    /// All of them.
    pub const ALL: [Moment; 4] = [Moment::Before, Moment::Immediately, Moment::Delayed, Moment::OnSuccess];

    /// How it is written.
    pub fn word(self) -> &'static str {
        match self {
            Moment::Before => "before",
            Moment::Immediately => "immediately",
            Moment::Delayed => "delayed",
            Moment::OnSuccess => "on_success",
        }
    }

    /// The moment of this name. `immediate` is another word for `immediately`.
    pub fn named(word: &str) -> Option<Moment> {
        let word = if word == "immediate" { "immediately" } else { word };
        Moment::ALL.into_iter().find(|moment| moment.word() == word)
    }
}

/// A condition that is looked at when the turn of the resource comes.
#[derive(Clone, Debug)]
pub struct Guard {
    /// A bool, or a command that is run: text, or a list of texts.
    pub condition: Term,
    /// Whether it must hold, or must not.
    pub expected: bool,
    /// How a command is run.
    pub command: GuardCommand,
    /// Where it was written.
    pub place: Option<Place>,
}

impl Guard {
    /// How it is written.
    pub fn word(&self) -> &'static str {
        if self.expected { "only_if" } else { "not_if" }
    }
}

/// How the command of a guard is run. What is none is as for Uphold itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GuardCommand {
    /// Working directory.
    pub dir: Option<Name>,
    /// User to run as.
    pub user: Option<Name>,
    /// Variables added to the environment.
    pub env: Vec<(Name, Name)>,
    /// After this long it is killed, and counts as false.
    pub timeout: Option<Duration>,
}

/// Waiting until something holds.
#[derive(Clone, Debug)]
pub struct NotUntil {
    /// What must hold; a command that could not be run, or took too long, does not.
    pub guard: Guard,
    /// How often to look.
    pub every: Duration,
}

/// Trying again after a failure.
#[derive(Clone, Debug, PartialEq)]
pub struct Retry {
    /// How many times after the first.
    pub times: u32,
    /// How long to wait before the first of them.
    pub delay: Duration,
    /// How many times as long to wait before each next one.
    pub backoff: f64,
    /// But never longer than this.
    pub longest: Duration,
    /// By which part of it, at most, a wait is made longer or shorter at random: 0 to 1.
    pub jitter: f64,
    /// Which sorts of failure count; all that may pass unless there are some.
    pub on: Vec<Name>,
}

impl Retry {
    /// So many times, a second apart.
    pub fn times(times: u32) -> Self {
        let delay = Duration::from_secs(1);
        Self { times, delay, backoff: 1.0, longest: Duration::from_secs(300), jitter: 0.0, on: Vec::new() }
    }
}

/// Sorts of failure that may pass by themselves, by how they are written. A mistake stays one however often it is
/// tried.
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

/// So many visits in a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// How many.
    pub times: u32,
    /// In which span.
    pub per: Duration,
}

/// What only so many may hold at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lock {
    /// Resources with the same name share it.
    pub name: Name,
    /// How many of them may hold it at a time.
    pub most: NonZeroU32,
}
