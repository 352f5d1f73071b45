//! The executor: the threads that make visits. The only module that starts them.
#![expect(clippy::disallowed_methods, reason = "the one module that starts threads")]

mod sender;

use std::any::Any;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::Duration;

use uphold_resource::Clock;

use crate::dispatcher::{Dispatcher, Next};
use crate::event::EventKind;
use crate::lifecycle::{Lifecycle, OneShot};
use crate::program::outputs::{left_out, tell};
use crate::schedule::Visit;
use crate::summary::Summary;
use crate::visit::{Visited, Visits};
use crate::watch::{Reports, WatchMode};

use sender::Sender;

/// How long a worker of a watch leaves listening to one that is busy: a short visit is over by then.
const SHORT: Duration = Duration::from_millis(1);

/// How long a sleeping worker does not check whether the run was stopped.
const SLICE: Duration = Duration::from_millis(50);

/// Makes all visits; returns when everything is over.
pub(crate) fn run(visits: &Visits<'_>, dispatcher: Dispatcher<'_, OneShot>, jobs: NonZeroUsize) -> Summary {
    let jobs = jobs.min(NonZeroUsize::new(visits.program.graph.len()).unwrap_or(NonZeroUsize::MIN));
    let mut dispatcher = work_together(visits, dispatcher, Rest::Sleep, jobs);
    let is_secret = |node| dispatcher.schedule.passed(node).secret;
    for (node, failure) in visits.overwritten(&dispatcher.settled, is_secret) {
        dispatcher.fail_late(node, failure);
    }
    for name in left_out(visits) {
        dispatcher.log.report(EventKind::OutputLeftOut { name: name.clone() });
    }
    dispatcher.end(tell(visits));
    dispatcher.summary
}

/// Makes all visits, and those that become due, until the watch of this program is over.
pub(crate) fn watch<'a>(
    visits: &Visits<'_>,
    dispatcher: Dispatcher<'a, WatchMode<'a>>,
    reports: &Reports,
    jobs: NonZeroUsize,
) -> Dispatcher<'a, WatchMode<'a>> {
    let mut dispatcher = work_together(visits, dispatcher, Rest::Listen(reports), jobs);
    if !dispatcher.lifecycle.is_watching() {
        dispatcher.end(tell(visits));
    }
    dispatcher
}

/// Works in this thread, and in as many more as `jobs` and the system allow. With one job a run is always the same.
fn work_together<'a, L: Lifecycle>(
    visits: &Visits<'_>,
    dispatcher: Dispatcher<'a, L>,
    rest: Rest<'_>,
    jobs: NonZeroUsize,
) -> Dispatcher<'a, L> {
    let desk = Desk { dispatcher, waiting: 0, busy: 0, jobs: jobs.get(), listening: None, is_broken: false };
    let shared = Shared {
        desk: Mutex::new(desk),
        finished: Condvar::new(),
        delivered: Condvar::new(),
        panic: Mutex::default(),
    };
    thread::scope(|scope| {
        let worker = Worker { visits, shared: &shared, rest, scope };
        for _ in 1..jobs.get() {
            if !worker.start_another() {
                break;
            }
        }
        worker.work();
    });
    if let Some(panic) = shared.panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
        resume_unwind(panic);
    }
    shared.desk.into_inner().unwrap_or_else(PoisonError::into_inner).dispatcher
}

/// What every thread that makes visits needs.
struct Worker<'s, 'e, 'v, 'a, L> {
    visits: &'e Visits<'v>,
    shared: &'e Shared<'a, L>,
    rest: Rest<'e>,
    scope: &'s Scope<'s, 'e>,
}

impl<L> Clone for Worker<'_, '_, '_, '_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Worker<'_, '_, '_, '_, L> {}

impl<'s, 'e, 'v: 's, 'a: 's, L: Lifecycle + 's> Worker<'s, 'e, 'v, 'a, L> {
    /// Starts another thread; false if there can be none.
    fn start_another(self) -> bool {
        thread::Builder::new().spawn_scoped(self.scope, move || self.work()).is_ok()
    }

    /// Works until everything is over.
    fn work(self) {
        let Self { visits, shared, rest, .. } = self;
        let _bell = Bell(shared, rest);
        let Ok(mut desk) = shared.desk.lock() else { return };
        loop {
            // A visit that was suspended goes on before a new one begins.
            if desk.busy + desk.dispatcher.tickets.delivered() >= desk.jobs && !desk.is_broken {
                let Some(woken) = shared.pause(desk) else { return };
                desk = woken;
                continue;
            }
            let next = desk.dispatcher.next();
            shared.wake_senders(&desk);
            let next = match next {
                Next::Done => return,
                _ if desk.is_broken => return,
                Next::Round => {
                    let outputs = tell(visits).collect();
                    desk.dispatcher.end_round(outputs);
                    continue;
                }
                Next::Wait(until) => {
                    let Some(woken) = rest.wait(shared, desk, until, visits.host.clock()) else { return };
                    desk = woken;
                    continue;
                }
                next => next,
            };
            desk.busy += 1;
            let Some(mut locked) = self.execute(desk, next) else { return };
            locked.busy -= 1;
            rest.hand_over(shared, &mut locked);
            desk = locked;
        }
    }

    /// Does what the dispatcher decided, and hands in the results; none if a worker panicked.
    fn execute(self, desk: Locked<'e, 'a, L>, next: Next) -> Option<Locked<'e, 'a, L>> {
        self.rest.share(self.shared, &desk);
        drop(desk);
        let done = self.act(next);
        let mut desk = self.shared.desk.lock().ok()?;
        for (visit, visited, took) in done {
            desk.dispatcher.finish(visit, visited, took);
        }
        self.shared.wake_senders(&desk);
        Some(desk)
    }

    /// Makes visits. All visits of a batch take the same time.
    fn act(self, next: Next) -> Vec<(Visit, Visited, Duration)> {
        let clock = self.visits.host.clock();
        let began = clock.elapsed();
        let took = || clock.elapsed().saturating_sub(began);
        match next {
            Next::Visit(visit, phase, inputs) => {
                let sender = Sender { worker: self, visits: &[visit] };
                let visited = self.visits.visit(visit.node, phase, &inputs, &sender);
                vec![(visit, visited, took())]
            }
            Next::Batch(parts) => {
                let (keys, parts): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
                let visited = self.visits.visit_together(parts, &Sender { worker: self, visits: &keys });
                keys.into_iter().zip(visited).map(|(visit, visited)| (visit, visited, took())).collect()
            }
            Next::Wait(_) | Next::Round | Next::Done => Vec::new(),
        }
    }
}

/// The dispatcher behind a lock; workers ask it for work and wait when there is none.
struct Shared<'a, L> {
    desk: Mutex<Desk<'a, L>>,
    finished: Condvar,
    /// Wakes threads whose visit is suspended.
    delivered: Condvar,
    /// A panic of a reader of events, which a visit must not take for its own.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// What the lock guards.
struct Desk<'a, L> {
    dispatcher: Dispatcher<'a, L>,
    /// How many workers sleep. While there are none, none is woken: that costs a system call each time.
    waiting: usize,
    /// How many threads make a visit; a suspended one does not count.
    busy: usize,
    /// How many may.
    jobs: usize,
    /// Until when a worker listens to the machine, if one does: without end, unless something is due.
    listening: Option<Option<Duration>>,
    /// Whether a worker panicked.
    is_broken: bool,
}

/// What a worker without work does.
#[derive(Clone, Copy)]
enum Rest<'r> {
    /// Sleeps until something is finished or due.
    Sleep,
    /// Listens to the machine; one worker at a time, the others sleep.
    Listen(&'r Reports),
}

type Locked<'l, 'a, L> = MutexGuard<'l, Desk<'a, L>>;

impl Rest<'_> {
    /// Waits until there may be work; none if a worker panicked.
    fn wait<'l, 'a, L: Lifecycle>(
        self,
        shared: &'l Shared<'a, L>,
        desk: Locked<'l, 'a, L>,
        until: Option<Duration>,
        clock: &dyn Clock,
    ) -> Option<Locked<'l, 'a, L>> {
        match self {
            Rest::Sleep => {
                shared.sleep(desk, until.map(|until| until.saturating_sub(clock.elapsed())), clock)
            }
            Rest::Listen(reports) => shared.listen(desk, until, clock, reports),
        }
    }

    /// A worker begins a visit: another one may be needed, for more work or to listen.
    fn share<L: Lifecycle>(self, shared: &Shared<'_, L>, desk: &Desk<'_, L>) {
        match self {
            Rest::Sleep if desk.waiting > 0 && desk.dispatcher.schedule.has_ready() => {
                shared.finished.notify_one();
            }
            Rest::Listen(_) if desk.waiting > 0 => shared.finished.notify_one(),
            Rest::Listen(reports) if desk.listening.is_some() && desk.dispatcher.schedule.has_ready() => {
                reports.nudge();
            }
            Rest::Sleep | Rest::Listen(_) => {}
        }
    }

    /// A visit is suspended: wakes a worker that has nothing to do; false if there is none.
    fn wake_idle<L>(self, shared: &Shared<'_, L>, desk: &Desk<'_, L>) -> bool {
        match self {
            _ if desk.waiting > 0 => shared.finished.notify_all(),
            Rest::Listen(reports) if desk.listening.is_some() => reports.nudge(),
            Rest::Sleep | Rest::Listen(_) => return false,
        }
        true
    }

    /// A worker has handed in its results: others may have work now.
    fn hand_over<L: Lifecycle>(self, shared: &Shared<'_, L>, desk: &mut Desk<'_, L>) {
        match self {
            Rest::Sleep if desk.waiting > 0 => shared.finished.notify_all(),
            Rest::Sleep => {}
            Rest::Listen(reports) => {
                let due = desk.dispatcher.due();
                desk.hurry(due, reports);
            }
        }
    }
}

impl<'a, L: Lifecycle> Shared<'a, L> {
    /// Wakes threads whose suspended visit can go on.
    fn wake_senders(&self, desk: &Desk<'_, L>) {
        if desk.dispatcher.tickets.delivered() > 0 {
            self.delivered.notify_all();
        }
    }

    /// Waits until a visit is over or suspended.
    fn pause<'l>(&'l self, mut desk: Locked<'l, 'a, L>) -> Option<Locked<'l, 'a, L>> {
        desk.waiting += 1;
        let mut desk = self.finished.wait(desk).ok()?;
        desk.waiting -= 1;
        Some(desk)
    }

    /// Waits until something is finished, or for a part of this span.
    fn sleep<'l>(
        &'l self,
        mut desk: Locked<'l, 'a, L>,
        span: Option<Duration>,
        clock: &dyn Clock,
    ) -> Option<Locked<'l, 'a, L>> {
        // A simulated time passes when every worker waits.
        let is_idle = desk.busy + desk.dispatcher.tickets.delivered() == 0;
        if is_idle && span.is_some_and(|span| clock.skip(span)) {
            return Some(desk);
        }
        desk.waiting += 1;
        let mut desk = match span {
            None => self.finished.wait(desk).ok()?,
            Some(span) => self.finished.wait_timeout(desk, span.min(SLICE)).ok()?.0,
        };
        desk.waiting -= 1;
        Some(desk)
    }

    /// Waits until something is reported, finished or due.
    fn listen<'l>(
        &'l self,
        mut desk: Locked<'l, 'a, L>,
        until: Option<Duration>,
        clock: &dyn Clock,
        reports: &Reports,
    ) -> Option<Locked<'l, 'a, L>> {
        if desk.listening.is_some() {
            desk.hurry(until, reports);
            desk.waiting += 1;
            let mut desk = self.finished.wait(desk).ok()?;
            desk.waiting -= 1;
            return Some(desk);
        }
        if desk.busy > 0 {
            desk.waiting += 1;
            let (woken, waited) = self.finished.wait_timeout(desk, SHORT).ok()?;
            desk = woken;
            desk.waiting -= 1;
            if !waited.timed_out() || desk.listening.is_some() {
                return Some(desk);
            }
        }
        desk.listening = Some(until);
        drop(desk);
        reports.wait(until.map(|until| until.saturating_sub(clock.elapsed())));
        let mut desk = self.desk.lock().ok()?;
        desk.listening = None;
        Some(desk)
    }
}

impl<L> Desk<'_, L> {
    /// Wakes the listening worker if something is due before it would wake up.
    fn hurry(&self, due: Option<Duration>, reports: &Reports) {
        if let (Some(until), Some(due)) = (self.listening, due)
            && until.is_none_or(|until| due < until)
        {
            reports.nudge();
        }
    }
}

/// Wakes the other workers when one ends, however it ends: if a reader of events panicked, the lock is poisoned, and they
/// end, too.
struct Bell<'l, 'a, L>(&'l Shared<'a, L>, Rest<'l>);

impl<L> Drop for Bell<'_, '_, L> {
    fn drop(&mut self) {
        if thread::panicking()
            && let Ok(mut desk) = self.0.desk.lock()
        {
            // It may have been the listening one.
            desk.is_broken = true;
        }
        self.0.finished.notify_all();
        self.0.delivered.notify_all();
        if let Rest::Listen(reports) = self.1 {
            reports.nudge();
        }
    }
}
