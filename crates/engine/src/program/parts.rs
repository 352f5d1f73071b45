//! Work on many independent items, split over threads.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::thread;

use uphold_model::{Mutex, reserve_heap};

/// The minimum number of items for each thread: fewer take less time than a thread needs to start.
const FEWEST: usize = 1000;

/// The number of items that a thread takes at a time.
const CHUNK: usize = 256;

/// The approximate size of a decoded resource in bytes.
const RESULT: usize = 1 << 10;

/// Sets each item to the result of `work` for its index, on at most this many threads. The result does not depend on them.
///
/// Each thread has a range of its own, because neighbours share strings, and two cores that count the users of one string
/// wait for each other. Afterwards it helps with the ranges of others.
#[expect(clippy::disallowed_methods, reason = "the only threads that check; the caller waits for them")]
pub(crate) fn fill<T: Send>(items: &mut [T], threads: NonZeroUsize, work: impl Fn(usize) -> T + Sync) {
    let threads = threads.get().min(items.len() / FEWEST).max(1);
    let share = items.len().div_ceil(threads).max(1);
    let ranges = items.chunks_mut(share).zip((0..).step_by(share));
    let ranges: Vec<_> = ranges.map(|(range, start)| Mutex::new(chunks(range, start))).collect();
    let work_from = |own: usize| {
        for range in ranges[own..].iter().chain(&ranges[..own]) {
            let next = || range.lock().next();
            while let Some((start, chunk)) = next() {
                (start..).zip(chunk).for_each(|(index, item)| *item = work(index));
            }
        }
    };
    thread::scope(|scope| {
        let start = |own| {
            let work_apart = move || {
                reserve_heap(share * RESULT);
                work_from(own);
            };
            thread::Builder::new().spawn_scoped(scope, work_apart).ok()
        };
        let others: Vec<_> = (1..ranges.len()).map_while(start).collect();
        work_from(0);
        for other in others {
            other.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
}

/// The chunks of a range, each with the index of its first item.
fn chunks<T>(range: &mut [T], start: usize) -> impl Iterator<Item = (usize, &mut [T])> {
    (start..).step_by(CHUNK).zip(range.chunks_mut(CHUNK))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_item_is_set_on_any_number_of_threads() {
        for count in [0, 1, CHUNK, 4 * FEWEST + 1] {
            for threads in 1..=5 {
                let mut items = vec![usize::MAX; count];
                fill(&mut items, NonZeroUsize::new(threads).expect("a number"), |index| index * 2);
                assert_eq!(items, (0..count).map(|index| index * 2).collect::<Vec<_>>(), "{count} {threads}");
            }
        }
    }

    #[test]
    fn few_items_need_no_other_thread() {
        let mut items = vec![None; 2 * FEWEST - 1];
        fill(&mut items, NonZeroUsize::new(8).expect("a number"), |_| Some(thread::current().id()));
        assert_eq!(items.into_iter().collect::<HashSet<_>>(), [Some(thread::current().id())].into());
    }
}
