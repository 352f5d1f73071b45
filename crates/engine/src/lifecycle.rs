//! The two modes of a dispatcher: a run that ends, and a watch that goes on.

use std::time::Duration;

use uphold_model::Value;
use uphold_resource::Level;

use crate::event::Wake;
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::notifications::NotificationRun;
use crate::schedule::{Downstream, Pick, Visit};
use crate::watch::{Admission, Ending, WatchEffect};

/// What the dispatcher asks at each step of a visit. A run that ends takes the defaults.
pub(crate) trait Lifecycle: Send {
    /// What a node passes on that is not visited, because nothing has changed for it; none if it is visited.
    fn passes(&self, _node: NodeIndex) -> Option<Downstream> {
        None
    }

    /// Takes in reports and the time.
    fn collect(&mut self, _now: Duration, _out: &mut Vec<WatchEffect>) {}

    /// Which ready visits may begin.
    fn pick(&mut self, _now: Duration) -> Pick {
        Pick::Any
    }

    /// What becomes of a ready visit.
    fn admit(
        &mut self,
        _visit: Visit,
        _run: Option<&NotificationRun>,
        _stopped: bool,
        _out: &mut Vec<WatchEffect>,
    ) -> Admission {
        Admission::Take
    }

    /// The root cause that keeps a node from running; `walked` is the one that its prerequisites passed on.
    fn root(&self, _node: NodeIndex, walked: Option<NodeIndex>) -> Option<NodeIndex> {
        walked
    }

    /// A visit begins.
    fn began(&mut self, _visit: Visit) {}

    /// A visit no longer executes.
    fn left(&mut self, _node: NodeIndex) {}

    /// A visit waits until its resource is ready.
    fn waits(&mut self, _visit: Visit, _out: &mut Vec<WatchEffect>) {}

    /// Whether a failure does not count, because the visit is repeated.
    fn excuse(
        &mut self,
        _visit: Visit,
        _failure: &Failure,
        _now: Duration,
        _out: &mut Vec<WatchEffect>,
    ) -> bool {
        false
    }

    /// A visit is over, its immediate notifications are not.
    fn ended(&mut self, _visit: Visit, _ending: Ending, _now: Duration, _out: &mut Vec<WatchEffect>) {}

    /// There is a secret at the path of a node.
    fn keep_secret(&mut self, _node: NodeIndex) {}

    /// A visit and all that it brought about is over. Whether it changed something that a group has to notify of.
    fn settled(&mut self, _visit: Visit, _now: Duration, _out: &mut Vec<WatchEffect>) -> bool {
        false
    }

    /// A resource may have changed that is not visited yet.
    fn distrust(&mut self, _node: NodeIndex) {}

    /// Why a node was woken.
    fn why(&self, _node: NodeIndex) -> Wake {
        Wake::Polled
    }

    /// Whether a message of a visit is reported.
    fn is_reported(&self, _visit: Visit, _unchanged: bool, _level: Level) -> bool {
        true
    }

    /// Whether something has failed, given whether something failed in the run so far.
    fn has_failed(&self, in_run: bool) -> bool {
        in_run
    }

    /// Whether everything was visited once, and is watched.
    fn is_watching(&self) -> bool {
        false
    }

    /// When something has to be done that no visit waits for.
    fn due(&mut self) -> Option<Duration> {
        None
    }

    /// Nothing is ready: what comes next.
    fn idle(&mut self, counts: Counts, _stopped: bool, _now: Duration) -> Idle {
        if counts.is_active || counts.next_due.is_some() { Idle::Wait } else { Idle::Done }
    }

    /// The outputs have these values now: which round that ends.
    fn end_round(&mut self, _outputs: Vec<Option<Value>>) -> Round {
        Round::First { watched: 0 }
    }
}

/// A run that ends when every action is over.
pub(crate) struct OneShot;

impl Lifecycle for OneShot {}

/// How far a run has come when nothing is ready.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) is_active: bool,
    /// Whether every written action is over.
    pub(crate) is_finished: bool,
    /// Whether every notification run is over.
    pub(crate) is_delivered: bool,
    /// When the first waiting visit is due.
    pub(crate) next_due: Option<Duration>,
}

/// What comes next when nothing is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Idle {
    /// Wait for a report, a result, or a time.
    Wait,
    /// Everything was visited: outputs are due.
    Round,
    /// Everything is over.
    Done,
}

/// Which outputs are reported when everything was visited.
pub(crate) enum Round {
    /// All of them, for the first time; this many resources are watched.
    First { watched: usize },
    /// Those that differ from these.
    Again(Vec<Option<Value>>),
}
