//! Queues: visits that can begin now, and keys that are due at a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hash;
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::node_set::NodeSet;
use super::visit::Visit;
use crate::graph::NodeIndex;

/// The ready queue. Awaited visits come first, then written order; in simulations a seed decides.
pub(crate) struct Ready {
    heap: BinaryHeap<Reverse<(u64, Visit)>>,
    /// The first visits of written actions. For thousands of them, a heap would cost more than all else that the schedule does.
    written: NodeSet,
    seed: Option<Seed>,
}

/// The key of an awaited visit, and of others.
const AWAITED: u64 = 0;
const WRITTEN: u64 = 1;

/// Which ready visits may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    Any,
    /// Only those that others wait for: a watch is about to end.
    Awaited,
}

impl Ready {
    /// An empty queue of a program with so many written actions.
    pub(crate) fn new(seed: Option<u64>, written: NodeIndex) -> Self {
        Self { heap: BinaryHeap::new(), written: NodeSet::below(written), seed: seed.map(Seed::new) }
    }

    pub(crate) fn push(&mut self, visit: Visit) {
        let key = match &mut self.seed {
            Some(seed) => seed.next(),
            None if visit.is_user_request() => AWAITED,
            None if visit == Visit::written(visit.node) && self.written.insert(visit.node) => return,
            None => WRITTEN,
        };
        self.heap.push(Reverse((key, visit)));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn len(&self) -> usize {
        self.heap.len() + self.written.len()
    }

    /// The next ready visit. [Take](super::Schedule::take) it, or drop it.
    pub(crate) fn pop(&mut self, pick: Pick) -> Option<Visit> {
        match pick {
            Pick::Any => self.pop_first(),
            Pick::Awaited => self.pop_awaited(|_| true),
        }
    }

    fn pop_first(&mut self) -> Option<Visit> {
        let first = self.written.first().map(|node| (WRITTEN, Visit::written(node)));
        match (self.heap.peek(), first) {
            (Some(Reverse(least)), first) if first.is_none_or(|first| *least < first) => {
                self.heap.pop().map(|Reverse((_, visit))| visit)
            }
            _ => self.written.pop_first().map(Visit::written),
        }
    }

    /// The first awaited visit that `accepts`. Those before it stay.
    pub(crate) fn pop_awaited(&mut self, accepts: impl Fn(Visit) -> bool) -> Option<Visit> {
        let mut passed = Vec::new();
        let mut found = None;
        while let Some(Reverse((key, visit))) = self.heap.pop() {
            let is_last = self.seed.is_none() && !visit.is_user_request();
            if is_last {
                passed.push(Reverse((key, visit)));
                break;
            }
            if visit.is_user_request() && accepts(visit) {
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

/// Keys that are due at a time, which can be moved; ordered by time, then by key.
pub(crate) struct DueQueue<K> {
    due: FxHashMap<K, Duration>,
    /// The first one first. An entry whose key was moved is dropped when it comes up.
    heap: BinaryHeap<Reverse<(Duration, K)>>,
}

impl<K> Default for DueQueue<K>
where
    K: Ord,
{
    fn default() -> Self {
        Self { due: FxHashMap::default(), heap: BinaryHeap::new() }
    }
}

impl<K: Copy + Ord + Hash> DueQueue<K> {
    /// Sets the time of a key, in place of an earlier one.
    pub(crate) fn set(&mut self, key: K, at: Duration) {
        if self.due.insert(key, at) != Some(at) {
            self.heap.push(Reverse((at, key)));
        }
    }

    /// Sets the time of a key, unless it is due before that.
    pub(crate) fn bring_forward(&mut self, key: K, at: Duration) {
        if self.due.get(&key).is_none_or(|due| at < *due) {
            self.set(key, at);
        }
    }

    pub(crate) fn cancel(&mut self, key: K) {
        self.due.remove(&key);
    }

    pub(crate) fn contains(&self, key: K) -> bool {
        self.due.contains_key(&key)
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = K> {
        self.due.keys().copied()
    }

    /// When the first key is due.
    pub(crate) fn first(&mut self) -> Option<Duration> {
        while let Some(&Reverse((at, key))) = self.heap.peek() {
            if self.due.get(&key) == Some(&at) {
                return Some(at);
            }
            self.heap.pop();
        }
        None
    }

    /// Removes the first key, if it is due by now.
    pub(crate) fn pop(&mut self, now: Duration) -> Option<K> {
        self.first().filter(|at| *at <= now)?;
        let Reverse((_, key)) = self.heap.pop()?;
        self.due.remove(&key);
        Some(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference is a sorted list of what was pushed and not popped.
    #[test]
    fn ready_visits_come_awaited_first_and_then_in_order() {
        for seed in 0..200 {
            let mut random = Seed::new(seed);
            let (mut ready, mut left) = (Ready::new(None, 20), Vec::<(bool, Visit)>::new());
            for _ in 0..200 {
                let (node, step) = (random.next() as u32 % 30, random.next() % 6);
                let visit = match step {
                    0 => Visit::written(node).announced(),
                    1 => Visit::woken(node),
                    2 | 3 => Visit::written(node),
                    _ => {
                        left.sort_by(|one, other| other.cmp(one));
                        assert_eq!(ready.pop(Pick::Any), left.pop().map(|(_, visit)| visit), "{seed}");
                        continue;
                    }
                };
                ready.push(visit);
                left.push((!visit.is_user_request(), visit));
                assert_eq!((ready.len(), ready.is_empty()), (left.len(), false));
            }
        }
    }

    #[test]
    fn the_last_time_counts() {
        let second = Duration::from_secs;
        let mut queue = DueQueue::default();
        queue.set("poll 1", second(1));
        queue.set("poll 1", second(5));
        queue.set("retry 2", second(3));
        queue.bring_forward("retry 2", second(4));
        queue.set("poll 3", second(2));
        queue.cancel("poll 3");
        assert_eq!(queue.first(), Some(second(3)));
        assert_eq!(queue.pop(second(2)), None);
        assert_eq!(queue.pop(second(9)), Some("retry 2"));
        assert_eq!(queue.pop(second(9)), Some("poll 1"));
        assert_eq!(queue.pop(second(9)), None);
    }
}
