//! Who does the visits: this thread alone, or several. The only module that starts threads.
#![expect(clippy::disallowed_methods, reason = "the one module that starts threads")]

use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use uphold_resource::Clock;

use crate::dispatcher::{Dispatcher, Next};
use crate::outputs::tell;
use crate::visit::Visits;

/// Makes all visits; returns when everything is done.
pub(crate) fn run(visits: &Visits<'_>, dispatcher: Dispatcher<'_>, jobs: NonZeroUsize) -> crate::Summary {
    if jobs.get() == 1 { inline(visits, dispatcher) } else { threads(visits, dispatcher, jobs) }
}

/// One after the other, in this thread: always the same run.
fn inline(visits: &Visits<'_>, mut dispatcher: Dispatcher<'_>) -> crate::Summary {
    let clock = visits.host.clock();
    while let Next::Visit(node, before) = dispatcher.next() {
        let began = clock.elapsed();
        let visited = visits.visit(node, &before);
        dispatcher.finish(node, visited, clock.elapsed().saturating_sub(began));
    }
    end(visits, dispatcher)
}

/// Everything is done: what is left is to tell the outputs.
fn end(visits: &Visits<'_>, dispatcher: Dispatcher<'_>) -> crate::Summary {
    let (scope, complete) = (visits.scope(), dispatcher.is_success());
    dispatcher.end(tell(&visits.program.outputs, &scope, visits.mode, complete))
}

/// The dispatcher behind a lock; workers ask it for work and wait when there is none.
struct Shared<'a> {
    desk: Mutex<Desk<'a>>,
    finished: Condvar,
}

/// What the lock guards.
struct Desk<'a> {
    dispatcher: Dispatcher<'a>,
    /// How many workers wait. While all are busy, nobody needs to be woken, which costs a system
    /// call each time.
    waiting: usize,
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
    let shared = Shared { desk: Mutex::new(Desk { dispatcher, waiting: 0 }), finished: Condvar::new() };
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
    end(visits, shared.desk.into_inner().unwrap_or_else(PoisonError::into_inner).dispatcher)
}

/// Works until everything is done.
fn work(visits: &Visits<'_>, shared: &Shared<'_>) {
    let clock: &dyn Clock = visits.host.clock();
    let _bell = Bell(&shared.finished);
    let Ok(mut desk) = shared.desk.lock() else { return };
    loop {
        let (node, before) = match desk.dispatcher.next() {
            Next::Done => return,
            Next::Visit(node, before) => (node, before),
            Next::Wait => {
                desk.waiting += 1;
                let Ok(woken) = shared.finished.wait(desk) else { return };
                desk = woken;
                desk.waiting -= 1;
                continue;
            }
        };
        drop(desk);
        let began = clock.elapsed();
        let visited = visits.visit(node, &before);
        let took = clock.elapsed().saturating_sub(began);
        let Ok(locked) = shared.desk.lock() else { return };
        desk = locked;
        desk.dispatcher.finish(node, visited, took);
        if desk.waiting > 0 {
            shared.finished.notify_all();
        }
    }
}
