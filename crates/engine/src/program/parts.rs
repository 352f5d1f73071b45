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
#[expect(clippy::disallowed_methods, reason = "the only threads that check; the caller waits for them")]
pub(crate) fn fill<T: Send>(items: &mut [T], threads: NonZeroUsize, work: impl Fn(usize) -> T + Sync) {
    let threads = threads.get().min(items.len() / FEWEST);
    let room = items.len() / threads.max(1) * RESULT;
    let chunks = Mutex::new(items.chunks_mut(CHUNK).enumerate());
    let next = || chunks.lock().next();
    let work = || {
        while let Some((number, chunk)) = next() {
            for (index, item) in (number * CHUNK..).zip(chunk) {
                *item = work(index);
            }
        }
    };
    thread::scope(|scope| {
        let work_apart = || {
            reserve_heap(room);
            work();
        };
        let others = (1..threads).map_while(|_| thread::Builder::new().spawn_scoped(scope, work_apart).ok());
        let others: Vec<_> = others.collect();
        work();
        for other in others {
            other.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
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
