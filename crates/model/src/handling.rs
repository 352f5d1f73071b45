//! How a run handles a resource: what happens around its visit.

use std::time::Duration;

use crate::declaration::{Action, Reference, Term};
use crate::id::Name;
use crate::place::Place;

/// Meta arguments that change what happens around a visit.
#[derive(Clone, Debug, Default)]
pub struct Handling {
    /// Which of them were written, and where.
    pub written: Vec<(Name, Place)>,
    /// Who is told when this resource changed.
    pub notifies: Vec<Notification>,
    /// Whose change makes this resource act.
    pub subscribes: Vec<Notification>,
    /// What must hold before it is touched.
    pub guards: Vec<Guard>,
    /// How often it is tried again.
    pub retry: Option<Retry>,
    /// How often it is looked at although nothing reported a change.
    pub poll: Option<Duration>,
    /// How many of those with this name may be visited at a time.
    pub limit: Option<Limit>,
    /// No two of those with this name are visited at a time.
    pub lock: Option<Name>,
    /// Look and report, never change.
    pub audit: bool,
    /// Its failure keeps nobody back.
    pub ignore_failure: bool,
    /// What happens when its declaration is gone.
    pub on_removal: OnRemoval,
}

/// One resource tells another that it changed.
#[derive(Clone, Debug)]
pub struct Notification {
    /// The other resource: who is told, or whose change counts.
    pub other: Reference,
    /// What is done by the one that is told.
    pub action: Action,
}

/// A condition that is looked at when the turn of the resource comes.
#[derive(Clone, Debug)]
pub struct Guard {
    /// A bool, or a command that is run: text, or a list of texts.
    pub condition: Term,
    /// Whether it must hold, or must not.
    pub expected: bool,
    /// Where it was written.
    pub place: Option<Place>,
}

/// Trying again after a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retry {
    /// How many times after the first.
    pub times: u32,
    /// How long to wait before each.
    pub delay: Duration,
}

/// So many at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Resources with the same name count together.
    pub name: Name,
    /// How many of them at a time.
    pub most: u32,
}

/// What happens to a thing whose declaration is gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnRemoval {
    /// It stays as it is.
    #[default]
    Keep,
    /// It is removed.
    Remove,
}
