//! When nodes are looked at although nothing is reported.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::graph::NodeIndex;

/// Why a node is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Timer {
    /// Now and then.
    Poll,
    /// It failed.
    Retry,
    /// It was woken, but too often.
    Limit,
    /// What was asked of it failed.
    Errand,
}

/// One time for each node and reason.
#[derive(Default)]
pub(crate) struct Timers {
    due: FxHashMap<(NodeIndex, Timer), Duration>,
    /// The first one first. Those that were set anew are dropped when their turn comes.
    heap: BinaryHeap<Reverse<(Duration, NodeIndex, Timer)>>,
}

impl Timers {
    /// Sets the time of a node, instead of the one before.
    pub(crate) fn set(&mut self, node: NodeIndex, timer: Timer, at: Duration) {
        if self.due.insert((node, timer), at) != Some(at) {
            self.heap.push(Reverse((at, node, timer)));
        }
    }

    /// The same, unless it is due earlier.
    pub(crate) fn bring_forward(&mut self, node: NodeIndex, timer: Timer, at: Duration) {
        if self.due.get(&(node, timer)).is_none_or(|due| at < *due) {
            self.set(node, timer, at);
        }
    }

    pub(crate) fn cancel(&mut self, node: NodeIndex, timer: Timer) {
        self.due.remove(&(node, timer));
    }

    /// Nodes that have to wait for their next visit, for this reason.
    pub(crate) fn nodes(&self, timer: Timer) -> impl Iterator<Item = NodeIndex> {
        self.due.keys().filter(move |(_, due)| *due == timer).map(|(node, _)| *node)
    }

    /// When the first of them is due.
    pub(crate) fn first(&mut self) -> Option<Duration> {
        while let Some(&Reverse((at, node, timer))) = self.heap.peek() {
            if self.due.get(&(node, timer)) == Some(&at) {
                return Some(at);
            }
            self.heap.pop();
        }
        None
    }

    /// The first of them, if it is due by now.
    pub(crate) fn pop(&mut self, now: Duration) -> Option<(NodeIndex, Timer)> {
        self.first().filter(|at| *at <= now)?;
        let Reverse((_, node, timer)) = self.heap.pop()?;
        self.due.remove(&(node, timer));
        Some((node, timer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_time_counts() {
        let second = Duration::from_secs;
        let mut timers = Timers::default();
        timers.set(1, Timer::Poll, second(1));
        timers.set(1, Timer::Poll, second(5));
        timers.set(2, Timer::Retry, second(3));
        timers.bring_forward(2, Timer::Retry, second(4));
        timers.set(3, Timer::Poll, second(2));
        timers.cancel(3, Timer::Poll);
        assert_eq!(timers.first(), Some(second(3)));
        assert_eq!(timers.pop(second(2)), None);
        assert_eq!(timers.pop(second(9)), Some((2, Timer::Retry)));
        assert_eq!(timers.pop(second(9)), Some((1, Timer::Poll)));
        assert_eq!(timers.pop(second(9)), None);
    }
}
