//! One action that was started, as known from events.

use std::collections::BTreeSet;

use uphold_model::Moment;

use super::order::Prior;
use super::scene::{Cluster, Step, Thing};

/// Number of a turn.
pub(crate) type TurnIndex = usize;

/// The action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Written(Step),
    Asked { handler: usize, by: Thing, moment: Moment },
}

/// The one that continues when a turn has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parent {
    Nobody,
    /// The sender of an immediate notification.
    Teller(TurnIndex),
    /// The sender of a notification before its change.
    Changer(TurnIndex),
    /// A group that notified of its change.
    Group(Cluster),
    /// A notification that was delayed to the end of a group.
    Queue(Option<Cluster>),
}

/// A turn, from its start.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) what: What,
    pub(crate) thing: Thing,
    pub(crate) parent: Parent,
    /// The notified actions that it is a consequence of.
    pub(crate) chain: BTreeSet<usize>,
    /// Whether it was skipped without a start.
    pub(crate) skipped: bool,
    pub(crate) finished: bool,
    pub(crate) settled: bool,
    /// The number of immediate targets that have not ended.
    pub(crate) pending: usize,
    /// The targets that were notified before its change.
    pub(crate) told_before: Vec<usize>,
    /// The number of these that have not ended.
    pub(crate) before_open: usize,
    /// The root causes why it, and its dependents, cannot run.
    pub(crate) roots: BTreeSet<Thing>,
    /// Whether the run had already failed at its start.
    pub(crate) run_had_failed: bool,
    /// Whether it started before its predecessors, because they wait for it.
    pub(crate) early: bool,
    /// Whether a resource that its groups subscribe to had changed.
    pub(crate) was_called: bool,
}

/// A notification whose target has to act.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) handler: usize,
    pub(crate) by: Thing,
    pub(crate) moment: Moment,
    pub(crate) parent: Parent,
    pub(crate) chain: BTreeSet<usize>,
}

/// The state of a group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    /// Nothing more can be delayed to its end.
    pub(crate) ended: bool,
    /// Its successors can start.
    pub(crate) released: bool,
    pub(crate) pending: usize,
    /// The last member that changed, and whether that is certain.
    pub(crate) changed: Option<(Thing, bool)>,
}

/// A broken rule, as text.
pub(crate) type Verdict = Result<(), String>;

pub(crate) fn ensure(holds: bool, complaint: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(complaint()) }
}

impl Prior {
    pub(crate) fn step(self) -> Option<Step> {
        match self {
            Prior::Step(step) => Some(step),
            Prior::End(_) => None,
        }
    }
}
