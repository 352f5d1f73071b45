//! Turns: what can be visited now, and what has to wait for a while.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::errand::ErrandIndex;
use crate::graph::NodeIndex;
use crate::seed::Seed;

/// One visit that is due: of an action that was written, or of one that somebody asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Turn {
    pub(crate) node: NodeIndex,
    pub(crate) errand: Option<ErrandIndex>,
    /// Whether those who are told before the change were told.
    pub(crate) told: bool,
    /// Whether it was visited before.
    pub(crate) again: bool,
    /// Whether the action was done before, and something woke it.
    pub(crate) woken: bool,
}

impl Turn {
    /// The first turn of a written action.
    pub(crate) fn of(node: NodeIndex) -> Self {
        Self { node, errand: None, told: false, again: false, woken: false }
    }
}

/// What can be visited now.
pub(crate) struct Ready {
    /// The least first: what was asked for, then written order; in tests by a seed.
    heap: BinaryHeap<Reverse<(u64, Turn)>>,
    seed: Option<Seed>,
}

impl Ready {
    pub(crate) fn new(seed: Option<u64>) -> Self {
        Self { heap: BinaryHeap::new(), seed: seed.map(Seed::new) }
    }

    pub(crate) fn push(&mut self, turn: Turn) {
        let written = u64::from(turn.errand.is_none() && !turn.told);
        let key = self.seed.as_mut().map_or(written, Seed::next);
        self.heap.push(Reverse((key, turn)));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// The first of them that is so. Those before it stay.
    pub(crate) fn pop_if(&mut self, is_so: impl Fn(&Turn) -> bool) -> Option<Turn> {
        let mut passed = Vec::new();
        let mut found = None;
        while let Some(Reverse((key, turn))) = self.heap.pop() {
            if is_so(&turn) {
                found = Some(turn);
                break;
            }
            passed.push(Reverse((key, turn)));
        }
        self.heap.extend(passed);
        found
    }

    /// Gives back memory that was needed when many were ready.
    pub(crate) fn shrink(&mut self) {
        self.heap.shrink_to_fit();
    }
}

/// What has to wait for a while.
#[derive(Default)]
pub(crate) struct Later {
    /// When each is due; what was hastened is in the heap twice.
    due: FxHashMap<Turn, Duration>,
    heap: BinaryHeap<Reverse<(Duration, Turn)>>,
}

impl Later {
    /// Puts a turn off until this time.
    pub(crate) fn push(&mut self, at: Duration, turn: Turn) {
        self.due.insert(turn, at);
        self.heap.push(Reverse((at, turn)));
    }

    /// What waits of this node is due now. Costs a look at all that wait.
    pub(crate) fn hasten(&mut self, node: NodeIndex, now: Duration) {
        let found = self.due.keys().find(|turn| turn.node == node && turn.errand.is_none()).copied();
        found.into_iter().for_each(|turn| self.push(now, turn));
    }

    /// When the first of them is due.
    pub(crate) fn due(&mut self) -> Option<Duration> {
        while let Some(&Reverse((at, turn))) = self.heap.peek() {
            if self.due.get(&turn) == Some(&at) {
                return Some(at);
            }
            self.heap.pop();
        }
        None
    }

    /// The first of them, if it is due by now.
    pub(crate) fn pop(&mut self, now: Duration) -> Option<Turn> {
        self.due().filter(|at| *at <= now)?;
        let Reverse((_, turn)) = self.heap.pop()?;
        self.due.remove(&turn);
        Some(turn)
    }
}
