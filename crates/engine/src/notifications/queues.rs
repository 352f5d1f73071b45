//! Delayed notifications: each target once per queue, in the order of the first request.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::run::{NotificationRun, RunId};
use crate::graph::NodeIndex;
use crate::program::groups::GroupIndex;

/// The queue of each group, which is drained at its end; none is the whole run. And what a watch keeps, which has no end.
#[derive(Default)]
pub(crate) struct Queues {
    of_groups: FxHashMap<Option<GroupIndex>, Queue>,
    /// In a watch: runs that have not begun, because their notifiers are not idle.
    pub(crate) pending: FxHashMap<NodeIndex, RunId>,
    /// In a watch: runs that failed. They are repeated.
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
            run
        });
        first.merge(run);
    }

    pub(crate) fn pop(&mut self, group: Option<GroupIndex>) -> Option<NotificationRun> {
        let queue = self.of_groups.get_mut(&group)?;
        let target = queue.order.pop_front()?;
        queue.runs.remove(&target)
    }

    pub(crate) fn set_due(&mut self, group: Option<GroupIndex>, run: RunId) {
        self.of_groups.entry(group).or_default().due = Some(run);
    }

    /// A run has begun: further notifications of its target ask for another one.
    pub(crate) fn begun(&mut self, group: Option<GroupIndex>, run: RunId) {
        if let Some(queue) = self.of_groups.get_mut(&group) {
            queue.due.take_if(|due| *due == run);
        }
    }

    pub(crate) fn undelivered(&self) -> impl Iterator<Item = NotificationRun> {
        let queued = self.of_groups.values().flat_map(|queue| queue.runs.values().copied());
        queued.chain(self.failed.values().copied())
    }
}
