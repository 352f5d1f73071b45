//! The two modes of a dispatcher: a run that ends, and a watch that goes on.

use std::time::Duration;

use uphold_resource::Level;

use crate::event::Wake;
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::notifications::NotificationRun;
use crate::program::outputs::OutputValue;
use crate::schedule::{Downstream, Pick, Visit};
use crate::watch::{Admission, Ending, WatchEffect};

/// The decisions of a mode at each step of a visit. A run that ends takes the defaults.
pub(crate) trait Lifecycle: Send {
    /// The facts that a node passes on without a visit, because nothing has changed for it; none if it is visited.
    fn passes(&self, _node: NodeIndex) -> Option<Downstream> {
        None
    }

    /// The decisions since the last call, in order.
    fn take_effects(&mut self) -> Vec<WatchEffect> {
        Vec::new()
    }

    /// Takes in reports and the time.
    fn collect(&mut self, _now: Duration) {}

    /// Which ready visits may begin.
    fn pick(&mut self, _now: Duration) -> Pick {
        Pick::Any
    }

    /// Whether a ready visit may begin.
    fn admit(&mut self, _visit: Visit, _run: Option<&NotificationRun>, _stopped: bool) -> Admission {
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
    fn waits(&mut self, _visit: Visit) {}

    /// Whether a failure does not count, because the visit is repeated.
    fn excuse(&mut self, _visit: Visit, _failure: &Failure, _now: Duration) -> bool {
        false
    }

    /// Whether a failed action is visited again.
    fn repeats_failed(&self) -> bool {
        false
    }

    /// A node is visited again, because a consequence of its change failed.
    fn retry(&mut self, _node: NodeIndex, _now: Duration) {}

    /// A visit is over, its immediate notifications are not. `secret`: there is a secret at the path of its node.
    fn ended(&mut self, _visit: Visit, _ending: Ending, _secret: bool, _now: Duration) {}

    /// A visit and all its consequences are over. Whether it changed something that a group has to notify of.
    fn settled(&mut self, _visit: Visit, _now: Duration) -> bool {
        false
    }

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

    /// When something has to be done that no visit waits for.
    fn due(&mut self) -> Option<Duration> {
        None
    }

    /// Nothing is ready: decides what follows.
    fn idle(&mut self, counts: Counts, _stopped: bool, _now: Duration) -> Idle {
        if counts.is_active || counts.next_due.is_some() { Idle::Wait } else { Idle::Done }
    }

    /// Everything was visited, and these are the outputs now.
    fn end_round(&mut self, outputs: Vec<OutputValue>) -> Round {
        Round::First { outputs, watched: 0 }
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

/// The next state when nothing is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Idle {
    /// Wait for a report, a result, or a time.
    Wait,
    /// Everything was visited: outputs are due.
    Round,
    /// Everything is over.
    Done,
}

/// The outputs that are reported when everything was visited.
pub(crate) enum Round {
    /// All of them, for the first time; this many resources are watched.
    First { outputs: Vec<OutputValue>, watched: usize },
    /// Those that differ from the previous round.
    Again { changed: Vec<OutputValue> },
}
