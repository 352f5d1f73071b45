//! Who does the visits: this thread alone, or several. The only module that starts threads.
#![expect(clippy::disallowed_methods, reason = "the one module that starts threads")]

use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use uphold_resource::Clock;

use crate::dispatcher::{Dispatcher, Next};
use crate::visit::Visits;

/// Makes all visits; returns when everything is done.
pub(crate) fn run(visits: &Visits<'_>, dispatcher: Dispatcher<'_>, jobs: NonZeroUsize) -> crate::Summary {
    if jobs.get() == 1 { inline(visits, dispatcher) } else { threads(visits, dispatcher, jobs) }
}

/// One after the other, in this thread: always the same run.
fn inline(visits: &Visits<'_>, mut dispatcher: Dispatcher<'_>) -> crate::Summary {
    let clock = visits.host.clock();
    while let Next::Visit(node, stands_on) = dispatcher.next() {
        let began = clock.elapsed();
        let visited = visits.visit(node, stands_on.as_ref());
        dispatcher.finish(node, visited, clock.elapsed().saturating_sub(began));
    }
    dispatcher.end()
}

/// The dispatcher behind a lock; workers ask it for work and wait when there is none.
struct Shared<'a> {
    dispatcher: Mutex<Dispatcher<'a>>,
    finished: Condvar,
}

/// Wakes the others when a worker ends, however it ends: if a reader of events panicked, the
/// lock is poisoned, and they end, too.
struct Bell<'a>(&'a Condvar);

impl Drop for Bell<'_> {
    fn drop(&mut self) {
        self.0.notify_all();
    }
}

fn threads(visits: &Visits<'_>, dispatcher: Dispatcher<'_>, jobs: NonZeroUsize) -> crate::Summary {
    let shared = Shared { dispatcher: Mutex::new(dispatcher), finished: Condvar::new() };
    let workers = jobs.get().min(visits.program.graph.len()).saturating_sub(1);
    thread::scope(|scope| {
        for _ in 0..workers {
            // Where the system allows no more threads, there are enough.
            if thread::Builder::new().spawn_scoped(scope, || work(visits, &shared)).is_err() {
                break;
            }
        }
        work(visits, &shared);
    });
    shared.dispatcher.into_inner().unwrap_or_else(PoisonError::into_inner).end()
}

/// Works until everything is done.
fn work(visits: &Visits<'_>, shared: &Shared<'_>) {
    let clock: &dyn Clock = visits.host.clock();
    let _bell = Bell(&shared.finished);
    let Ok(mut dispatcher) = shared.dispatcher.lock() else { return };
    loop {
        let (node, stands_on) = match dispatcher.next() {
            Next::Done => return,
            Next::Visit(node, stands_on) => (node, stands_on),
            Next::Wait => {
                let Ok(woken) = shared.finished.wait(dispatcher) else { return };
                dispatcher = woken;
                continue;
            }
        };
        drop(dispatcher);
        let began = clock.elapsed();
        let visited = visits.visit(node, stands_on.as_ref());
        let took = clock.elapsed().saturating_sub(began);
        let Ok(locked) = shared.dispatcher.lock() else { return };
        dispatcher = locked;
        dispatcher.finish(node, visited, took);
        shared.finished.notify_all();
    }
}
