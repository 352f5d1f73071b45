//! Who does the visits: this thread alone, or several. The only module that starts threads.
#![expect(clippy::disallowed_methods, reason = "the one module that starts threads")]

use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
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

impl<'a> Shared<'a> {
    /// A reader of events that panicked has been heard already; the walk itself is sound.
    fn lock(&self) -> MutexGuard<'_, Dispatcher<'a>> {
        self.dispatcher.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn threads(visits: &Visits<'_>, dispatcher: Dispatcher<'_>, jobs: NonZeroUsize) -> crate::Summary {
    let shared = Shared { dispatcher: Mutex::new(dispatcher), finished: Condvar::new() };
    let workers = jobs.get().min(visits.program.graph.len()).saturating_sub(1);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| work(visits, &shared));
        }
        work(visits, &shared);
    });
    shared.dispatcher.into_inner().unwrap_or_else(PoisonError::into_inner).end()
}

fn work(visits: &Visits<'_>, shared: &Shared<'_>) {
    let clock: &dyn Clock = visits.host.clock();
    let mut dispatcher = shared.lock();
    loop {
        match dispatcher.next() {
            Next::Done => break,
            Next::Wait => {
                dispatcher = shared.finished.wait(dispatcher).unwrap_or_else(PoisonError::into_inner);
            }
            Next::Visit(node, stands_on) => {
                drop(dispatcher);
                let began = clock.elapsed();
                let visited = visits.visit(node, stands_on.as_ref());
                let took = clock.elapsed().saturating_sub(began);
                dispatcher = shared.lock();
                dispatcher.finish(node, visited, took);
                shared.finished.notify_all();
            }
        }
    }
    shared.finished.notify_all();
}
