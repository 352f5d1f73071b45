//! A parallel map whose results come in order.
#![expect(clippy::disallowed_methods, reason = "starts its own threads, which end with it")]

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Calls `work` for each number below `count`, several at a time, in threads of their own. `done` gets the results in
/// this thread, in the order of the numbers, each as soon as all earlier ones are done.
///
/// A panic in `work` ends all of it, and is passed on.
pub fn in_order<T: Send>(
    jobs: NonZeroUsize,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(T),
) {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.get().min(count) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            let work_on = move || {
                while let Some(number) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|next| *next < count)
                {
                    // The receiver is dropped if `done` panicked.
                    if sender.send((number, work(number))).is_err() {
                        return;
                    }
                }
            };
            if thread::Builder::new().spawn_scoped(scope, work_on).is_err() {
                break;
            }
        }
        // Without any thread, the work is done here.
        drop(sender);
        let mut early = BTreeMap::new();
        let mut expected = 0;
        while expected < count {
            let result = early.remove(&expected).or_else(|| await_result(&results, expected, &mut early));
            match result {
                Some(result) => done(result),
                None if next.load(Ordering::Relaxed) == 0 => done(work(expected)),
                // A thread panicked: the scope passes that on.
                None => return,
            }
            expected += 1;
        }
    });
}

/// The result of this number; results of later ones that arrive first are kept.
fn await_result<T>(
    results: &mpsc::Receiver<(usize, T)>,
    expected: usize,
    early: &mut BTreeMap<usize, T>,
) -> Option<T> {
    loop {
        match results.recv() {
            Ok((number, result)) if number == expected => return Some(result),
            Ok((number, result)) => _ = early.insert(number, result),
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_order() {
        let check = |jobs: usize, count: usize| {
            let mut results = Vec::new();
            // Early numbers take longest.
            let work = |number: usize| {
                thread::sleep(Duration::from_millis(if number.is_multiple_of(4) { 4 } else { 0 }));
                number
            };
            let jobs = NonZeroUsize::new(jobs).expect("at least one");
            in_order(jobs, count, work, |result| results.push(result));
            assert_eq!(results, (0..count).collect::<Vec<_>>(), "{jobs} jobs");
        };
        check(1, 5);
        check(4, 33);
        check(64, 3);
        check(4, 0);
    }

    #[test]
    fn a_panic_is_passed_on() {
        let work = |number: usize| assert_ne!(number, 3);
        let ended = std::panic::catch_unwind(|| in_order(NonZeroUsize::MIN, 9, work, |()| {}));
        assert!(ended.is_err());
    }
}
