//! Notification runs: actions that are done because of a notification, and the visits and groups that wait for them.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;
use uphold_model::Moment;

use crate::graph::NodeIndex;
use crate::program::list::GroupIndex;
use crate::schedule::{Downstream, Visit};

/// Number of a notification run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RunId(u32);

/// Number of a nested notification whose sender is suspended until it was delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TicketId(pub(super) u32);

#[cfg(test)]
impl TicketId {
    pub(crate) fn of_number(number: u32) -> Self {
        Self(number)
    }
}

/// Number of something that waits for notification runs.
pub(crate) type WaitIndex = usize;

/// An action that is done because of a notification.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NotificationRun {
    /// The action that is done.
    pub(crate) target: NodeIndex,
    /// The first notifier.
    pub(crate) by: NodeIndex,
    /// Further notifiers.
    pub(crate) also: BTreeSet<NodeIndex>,
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
        self.also.extend(other.also.into_iter().chain([other.by]).filter(|by| *by != self.by));
        if other.moment == Moment::Delayed {
            self.moment = Moment::Delayed;
        }
    }
}

/// The continuation when notification runs are over.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wait {
    /// The notifier settles: its dependents may go on.
    Settle(Visit, Downstream),
    /// The notifier changes its resource.
    Proceed(Visit),
    /// The group delivers the next of its delayed notifications; none is the whole run.
    Drain(Option<GroupIndex>),
    /// The changes of the group were verified: their notifications are delivered, or dropped.
    Verify(GroupIndex),
    /// A suspended visit goes on.
    Resume(TicketId, Visit),
}

impl Wait {
    pub(crate) fn ticket(self) -> Option<TicketId> {
        match self {
            Wait::Resume(ticket, _) => Some(ticket),
            Wait::Settle(..) | Wait::Proceed(_) | Wait::Drain(_) | Wait::Verify(_) => None,
        }
    }
}

/// The continuation of one notification run.
pub(crate) enum Continuation {
    /// The next run of the same list.
    Next(NotificationRun, WaitIndex),
    /// All of them are over: the continuation, and the root cause of the first failure.
    Then(Wait, Option<NodeIndex>),
}

struct Waiting {
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
        self.waits.push(Waiting { rest: runs, failed: None, then });
        Some((first, self.waits.len() - 1))
    }

    pub(crate) fn begin(&mut self, run: NotificationRun, wait: Option<WaitIndex>) -> RunId {
        self.open += 1;
        self.all.push(Begun { run, wait, is_over: false });
        RunId(u32::try_from(self.all.len() - 1).expect("fewer than 2^32 notification runs"))
    }

    /// A run is over, or failed because of `failed`: what follows, if anything waits for it.
    pub(crate) fn end(&mut self, id: RunId, failed: Option<NodeIndex>) -> Option<Continuation> {
        self.open -= 1;
        let begun = &mut self.all[id.0 as usize];
        begun.is_over = true;
        let number = begun.wait?;
        let waiting = &mut self.waits[number];
        waiting.failed = waiting.failed.or(failed);
        Some(match waiting.rest.pop_front() {
            Some(run) => Continuation::Next(run, number),
            None => Continuation::Then(waiting.then, waiting.failed),
        })
    }

    pub(crate) fn get(&self, id: RunId) -> &NotificationRun {
        &self.all[id.0 as usize].run
    }

    pub(crate) fn get_mut(&mut self, id: RunId) -> &mut NotificationRun {
        &mut self.all[id.0 as usize].run
    }

    /// The group whose delayed notification this run is; the outer none if it is not delayed.
    pub(crate) fn drained(&self, id: RunId) -> Option<Option<GroupIndex>> {
        match self.wait_of(id)? {
            Wait::Drain(group) => Some(group),
            Wait::Settle(..) | Wait::Proceed(_) | Wait::Verify(_) | Wait::Resume(..) => None,
        }
    }

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
        let begun = self.all.iter().filter(|begun| !begun.is_over).map(|begun| begun.run.clone());
        begun.chain(self.waits.iter().flat_map(|waiting| waiting.rest.iter().cloned()))
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

/// Delayed notifications: one queue for each group, drained at its end; none is the whole run. In each queue, one run for
/// each target, in the order of the first notification. And the runs that a watch keeps, which has no end.
#[derive(Default)]
pub(crate) struct Queues {
    of_groups: FxHashMap<Option<GroupIndex>, Queue>,
    /// In a watch: runs that have not begun, because their notifiers are not idle.
    pub(crate) pending: FxHashMap<NodeIndex, RunId>,
    /// In a watch: runs that failed, or whose target is paused. They are repeated.
    pub(crate) failed: FxHashMap<NodeIndex, NotificationRun>,
}

#[derive(Default)]
struct Queue {
    order: VecDeque<NodeIndex>,
    runs: FxHashMap<NodeIndex, NotificationRun>,
    /// The run that was taken from the queue and has not begun: notifications of its target join it.
    due: Option<RunId>,
}

impl Queues {
    /// The run that was taken from a queue last, if it has not begun.
    pub(crate) fn due(&self, group: Option<GroupIndex>) -> Option<RunId> {
        self.of_groups.get(&group)?.due
    }

    /// Puts a run into the queue of a group, or joins it to one with the same target.
    pub(crate) fn push(&mut self, group: Option<GroupIndex>, run: NotificationRun) {
        let Queue { order, runs, .. } = self.of_groups.entry(group).or_default();
        let first = runs.entry(run.target).or_insert_with(|| {
            order.push_back(run.target);
            run.clone()
        });
        first.merge(run);
    }

    pub(crate) fn pop(&mut self, group: Option<GroupIndex>) -> Option<NotificationRun> {
        let queue = self.of_groups.get_mut(&group)?;
        let target = queue.order.pop_front()?;
        queue.runs.remove(&target)
    }

    pub(crate) fn remove(&mut self, group: Option<GroupIndex>, target: NodeIndex) {
        if let Some(queue) = self.of_groups.get_mut(&group)
            && queue.runs.remove(&target).is_some()
        {
            queue.order.retain(|queued| *queued != target);
        }
    }

    pub(crate) fn set_due(&mut self, group: Option<GroupIndex>, run: RunId) {
        self.of_groups.entry(group).or_default().due = Some(run);
    }

    /// A run has begun: further notifications of its target start another one.
    pub(crate) fn begun(&mut self, group: Option<GroupIndex>, run: RunId) {
        if let Some(queue) = self.of_groups.get_mut(&group) {
            queue.due.take_if(|due| *due == run);
        }
    }

    pub(crate) fn undelivered(&self) -> impl Iterator<Item = NotificationRun> {
        let queued = self.of_groups.values().flat_map(|queue| queue.runs.values().cloned());
        queued.chain(self.failed.values().cloned())
    }
}
