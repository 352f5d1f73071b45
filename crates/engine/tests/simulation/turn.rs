//! One action that was taken up, as far as events tell.

use std::collections::BTreeSet;

use uphold_model::Moment;

use crate::order::Prior;
use crate::scene::{Cluster, Step, Thing};

/// Number of a turn.
pub(crate) type TurnIndex = usize;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Written(Step),
    Asked { handler: usize, by: Thing, moment: Moment },
}

/// Who goes on when a turn is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parent {
    Nobody,
    /// Who told of its change.
    Teller(TurnIndex),
    /// Who told before its change.
    Changer(TurnIndex),
    /// A group that told of its change.
    Group(Cluster),
    /// What was put off to the end of a group.
    Queue(Option<Cluster>),
}

/// A turn from its start on.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) what: What,
    pub(crate) thing: Thing,
    pub(crate) parent: Parent,
    /// The actions on request that it is a consequence of.
    pub(crate) chain: BTreeSet<usize>,
    /// Whether it was skipped without a start.
    pub(crate) skipped: bool,
    pub(crate) finished: bool,
    pub(crate) settled: bool,
    /// How many that were told of its change are not settled.
    pub(crate) pending: usize,
    /// Who was told before its change.
    pub(crate) told_before: Vec<usize>,
    /// How many of these are not settled.
    pub(crate) before_open: usize,
    /// Why it, and what stands on it, cannot run: all root causes.
    pub(crate) roots: BTreeSet<Thing>,
    /// Whether the run had failed when it was taken up.
    pub(crate) run_had_failed: bool,
    /// Whether it was taken up before what it waits for, because that waits for it.
    pub(crate) early: bool,
    /// Whether something had changed that its groups subscribe to.
    pub(crate) was_called: bool,
}

/// Somebody was told of a change, and has to act.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) handler: usize,
    pub(crate) by: Thing,
    pub(crate) moment: Moment,
    pub(crate) parent: Parent,
    pub(crate) chain: BTreeSet<usize>,
}

/// What became of a group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    /// Nothing is put off to its end any more.
    pub(crate) ended: bool,
    /// What comes after it may begin.
    pub(crate) released: bool,
    pub(crate) pending: usize,
    /// The last member that changed, and whether it did for certain.
    pub(crate) changed: Option<(Thing, bool)>,
}

/// What was broken, in words.
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
