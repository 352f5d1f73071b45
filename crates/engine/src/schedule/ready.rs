//! Visits that can begin now.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::visit::Visit;

/// The ready queue. Awaited visits come first, then written order; in simulations a seed decides.
pub(crate) struct Ready {
    heap: BinaryHeap<Reverse<(u64, Visit)>>,
    seed: Option<Seed>,
}

/// Which ready visits may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    Any,
    /// Only those that others wait for: a watch is about to end.
    Awaited,
}

impl Ready {
    pub(crate) fn new(seed: Option<u64>) -> Self {
        Self { heap: BinaryHeap::new(), seed: seed.map(Seed::new) }
    }

    pub(crate) fn push(&mut self, visit: Visit) {
        let written = u64::from(!visit.is_awaited());
        let key = self.seed.as_mut().map_or(written, Seed::next);
        self.heap.push(Reverse((key, visit)));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// The next ready visit. [Take](super::Schedule::take) it, or drop it.
    pub(crate) fn pop(&mut self, pick: Pick) -> Option<Visit> {
        match pick {
            Pick::Any => self.heap.pop().map(|Reverse((_, visit))| visit),
            Pick::Awaited => self.pop_awaited(|_| true),
        }
    }

    /// The first awaited visit that `accepts`. Those before it stay.
    pub(crate) fn pop_awaited(&mut self, accepts: impl Fn(Visit) -> bool) -> Option<Visit> {
        let mut passed = Vec::new();
        let mut found = None;
        while let Some(Reverse((key, visit))) = self.heap.pop() {
            let is_last = self.seed.is_none() && !visit.is_awaited();
            if is_last {
                passed.push(Reverse((key, visit)));
                break;
            }
            if visit.is_awaited() && accepts(visit) {
                found = Some(visit);
                break;
            }
            passed.push(Reverse((key, visit)));
        }
        self.heap.extend(passed);
        found
    }

    /// Frees memory that was needed while many visits were ready.
    pub(crate) fn shrink(&mut self) {
        self.heap.shrink_to_fit();
    }
}

/// SplitMix64, a small generator of random numbers: one addition and three mixes a number. For jitter, and for tests that
/// must be repeatable.
pub(crate) struct Seed(u64);

impl Seed {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}
