//! Notification runs: actions that are done because of a notification, and what waits for them.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use uphold_model::Moment;

use crate::graph::NodeIndex;
use crate::program::groups::GroupIndex;
use crate::schedule::{Downstream, Visit};

/// Number of a notification run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RunId(u32);

/// Number of a nested notification whose sender is suspended until it was delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TicketId(pub(crate) u32);

/// Number of something that waits for notification runs.
pub(crate) type WaitIndex = usize;

/// An action that is done because of a notification.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NotificationRun {
    /// The action that is done.
    pub(crate) target: NodeIndex,
    /// The notifier.
    pub(crate) by: NodeIndex,
    pub(crate) moment: Moment,
    /// The run of which it is a consequence.
    pub(crate) after: Option<RunId>,
    /// Whether the notifier did change; in a plan it may be that it only may.
    pub(crate) certain: bool,
}

impl NotificationRun {
    /// Takes in another notification of the same action: certain beats possible, delayed beats on success.
    pub(crate) fn merge(&mut self, other: NotificationRun) {
        self.certain |= other.certain;
        if other.moment == Moment::Delayed {
            self.moment = Moment::Delayed;
        }
    }
}

/// What goes on when notification runs are over.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wait {
    /// The notifier settles: its dependents may go on.
    Settle(Visit, Downstream),
    /// The notifier changes its resource.
    Proceed(Visit),
    /// The group delivers the next of its delayed notifications; none is the whole run.
    Drain(Option<GroupIndex>),
    /// A suspended visit goes on.
    Resume(TicketId, Visit),
}

/// What comes after a notification run.
pub(crate) enum Continuation {
    /// The next run of the same list.
    Next(NotificationRun, WaitIndex),
    /// What waited for all of them, and the root cause of the first failure.
    Then(Wait, Option<NodeIndex>),
}

struct Waiting {
    left: usize,
    /// Runs that follow: those of one list come one after the other.
    rest: VecDeque<NotificationRun>,
    failed: Option<NodeIndex>,
    then: Wait,
}

struct Begun {
    run: NotificationRun,
    wait: Option<WaitIndex>,
    is_over: bool,
}

/// All notification runs that have begun.
#[derive(Default)]
pub(crate) struct Runs {
    all: Vec<Begun>,
    waits: Vec<Waiting>,
    open: usize,
    /// How often, as consequences of a change of the first node, the second notified the third.
    times: FxHashMap<(NodeIndex, NodeIndex, NodeIndex), u32>,
}

impl Runs {
    /// Something that goes on when these runs are over, one after the other: the first of them. None: there are no runs.
    pub(crate) fn wait(
        &mut self,
        then: Wait,
        mut runs: VecDeque<NotificationRun>,
    ) -> Option<(NotificationRun, WaitIndex)> {
        let first = runs.pop_front()?;
        self.waits.push(Waiting { left: 0, rest: runs, failed: None, then });
        Some((first, self.waits.len() - 1))
    }

    pub(crate) fn begin(&mut self, run: NotificationRun, wait: Option<WaitIndex>) -> RunId {
        self.open += 1;
        if let Some(wait) = wait {
            self.waits[wait].left += 1;
        }
        self.all.push(Begun { run, wait, is_over: false });
        RunId(u32::try_from(self.all.len() - 1).expect("fewer than 2^32 notification runs"))
    }

    /// A run is over, or failed because of `failed`: what goes on now.
    pub(crate) fn end(&mut self, id: RunId, failed: Option<NodeIndex>) -> Option<Continuation> {
        self.open -= 1;
        let begun = &mut self.all[id.0 as usize];
        begun.is_over = true;
        let number = begun.wait?;
        let waiting = &mut self.waits[number];
        waiting.left -= 1;
        waiting.failed = waiting.failed.or(failed);
        match waiting.rest.pop_front() {
            Some(run) => Some(Continuation::Next(run, number)),
            None => (waiting.left == 0).then_some(Continuation::Then(waiting.then, waiting.failed)),
        }
    }

    pub(crate) fn get(&self, id: RunId) -> &NotificationRun {
        &self.all[id.0 as usize].run
    }

    pub(crate) fn get_mut(&mut self, id: RunId) -> &mut NotificationRun {
        &mut self.all[id.0 as usize].run
    }

    /// The group whose delayed notification this run is; the outer none if it is not delayed.
    pub(crate) fn drained(&self, id: RunId) -> Option<Option<GroupIndex>> {
        match self.waits[self.all[id.0 as usize].wait?].then {
            Wait::Drain(group) => Some(group),
            Wait::Settle(..) | Wait::Proceed(_) | Wait::Resume(..) => None,
        }
    }

    /// What waits for this run.
    pub(crate) fn wait_of(&self, id: RunId) -> Option<Wait> {
        Some(self.waits[self.all[id.0 as usize].wait?].then)
    }

    /// Whether an action may run as a consequence of `after`: not as a consequence of itself, which would never end, and
    /// not too often by the same notifier for one change. Else ten resources that notify each other would do so
    /// millions of times.
    pub(crate) fn may_follow(&mut self, by: NodeIndex, target: NodeIndex, after: Option<RunId>) -> bool {
        const LIMIT: u32 = 16;
        let mut first = None;
        for run in std::iter::successors(after, |run| self.get(*run).after) {
            if self.get(run).target == target {
                return false;
            }
            first = Some(self.get(run).by);
        }
        let Some(first) = first else { return true };
        let times = self.times.entry((first, by, target)).or_default();
        *times += 1;
        *times <= LIMIT
    }

    /// Runs that have begun, or follow one that has, and are not over.
    pub(crate) fn undelivered(&self) -> impl Iterator<Item = NotificationRun> {
        let begun = self.all.iter().filter(|begun| !begun.is_over).map(|begun| begun.run);
        begun.chain(self.waits.iter().flat_map(|waiting| waiting.rest.iter().copied()))
    }

    /// Whether every run is over.
    pub(crate) fn are_over(&self) -> bool {
        self.open == 0
    }

    /// Forgets runs that are over, so that a watch does not grow. Only if all are.
    pub(crate) fn forget(&mut self) {
        if self.open == 0 && !self.all.is_empty() {
            self.all.clear();
            self.waits.clear();
            self.times.clear();
        }
    }
}
