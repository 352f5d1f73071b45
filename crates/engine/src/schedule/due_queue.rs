//! Keys that are due at a time: one time for each key, which can be moved.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hash;
use std::time::Duration;

use rustc_hash::FxHashMap;

/// A queue ordered by time, then by key.
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
