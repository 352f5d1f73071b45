//! Visits that need no report: polls, retries, and visits that wait because there were too many.

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::Limit;

use super::backoff::Backoff;
use crate::graph::NodeIndex;
use crate::schedule::DueQueue;

/// Why a node is due although nothing was reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Timer {
    Poll,
    /// It failed.
    Retry,
    /// It was woken, but too often.
    Limit,
    /// Its notification run failed.
    Notification,
}

/// One time for each node and reason.
pub(crate) struct Revisits<'p> {
    timers: DueQueue<(NodeIndex, Timer)>,
    pub(crate) backoff: Backoff,
    /// Nodes with `poll`.
    polls: FxHashMap<NodeIndex, Duration>,
    /// Nodes with `limit`.
    limits: FxHashMap<NodeIndex, &'p Limit>,
    /// Nodes that cannot be watched.
    blind: FxHashSet<NodeIndex>,
    /// How often those are polled.
    every: Duration,
}

impl<'p> Revisits<'p> {
    pub(crate) fn new(
        polls: FxHashMap<NodeIndex, Duration>,
        limits: FxHashMap<NodeIndex, &'p Limit>,
        blind: FxHashSet<NodeIndex>,
        every: Duration,
    ) -> Self {
        Self { timers: DueQueue::default(), backoff: Backoff::default(), polls, limits, blind, every }
    }

    /// Sets the time of the next poll of a node. `interval`: how often its kind wants it polled.
    pub(crate) fn poll(&mut self, node: NodeIndex, interval: Option<Duration>, now: Duration) {
        let declared = self.polls.get(&node).copied();
        let blind = self.blind.contains(&node).then_some(self.every);
        if let Some(span) = declared.or(interval).into_iter().chain(blind).min() {
            self.timers.set((node, Timer::Poll), now.saturating_add(span));
        }
    }

    /// A node cannot be watched, and is polled this often: none if that is known.
    pub(crate) fn blind(&mut self, node: NodeIndex, now: Duration) -> Option<Duration> {
        self.timers.bring_forward((node, Timer::Poll), now.saturating_add(self.every));
        self.blind.insert(node).then_some(self.every)
    }

    /// A node can be watched: whether it could not before.
    pub(crate) fn sighted(&mut self, node: NodeIndex) -> bool {
        let was_blind = self.blind.remove(&node);
        if was_blind {
            self.timers.cancel((node, Timer::Poll));
        }
        was_blind
    }

    /// A node is woken: whether its visit has to wait, because there were too many or it has just failed. A visit that backed
    /// off has waited.
    pub(crate) fn delays(&mut self, node: NodeIndex, is_retry: bool, now: Duration) -> bool {
        let limit = self.limits.get(&node).copied();
        let not_before = self.backoff.not_before(node, limit, now);
        if let Some(at) = not_before.filter(|_| !is_retry) {
            self.timers.bring_forward((node, Timer::Limit), at);
            return true;
        }
        self.timers.cancel((node, Timer::Limit));
        self.timers.cancel((node, Timer::Retry));
        if let Some(limit) = limit {
            self.backoff.visited(node, limit, now);
        }
        false
    }

    /// A node failed: how often in a row, and how long it backs off.
    pub(crate) fn back_off(&mut self, node: NodeIndex, timer: Timer, now: Duration) -> (u32, Duration) {
        let (failures, after) = self.backoff.failed(node, now);
        self.timers.set((node, timer), now.saturating_add(after));
        (failures, after)
    }

    /// The next node that is due by now.
    pub(crate) fn pop(&mut self, now: Duration) -> Option<(NodeIndex, Timer)> {
        self.timers.pop(now)
    }

    /// When the first node is due.
    pub(crate) fn first(&mut self) -> Option<Duration> {
        self.timers.first()
    }

    /// Nodes that wait for this reason.
    pub(crate) fn waiting(&self, timer: Timer) -> FxHashSet<NodeIndex> {
        self.timers.keys().filter(|(_, due)| *due == timer).map(|(node, _)| node).collect()
    }

    pub(crate) fn into_blind(self) -> FxHashSet<NodeIndex> {
        self.blind
    }
}
