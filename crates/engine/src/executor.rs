//! The executor: the threads that make visits. The only module that starts them.
#![expect(clippy::disallowed_methods, reason = "the one module that starts threads")]

pub(crate) mod leftovers;
mod sender;

use std::any::Any;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::Duration;

use uphold_model as model;
use uphold_resource::Clock;

use crate::dispatcher::{Dispatcher, EventLog, Next, Sink};
use crate::event::{EventKind, Mode};
use crate::lifecycle::{Lifecycle, OneShot};
use crate::program::outputs::{left_out, output_values};
use crate::schedule::Visit;
use crate::summary::Summary;
use crate::visit::{Visited, Visits};
use crate::watch::{Reports, WatchMode};

use sender::Sender;

/// How long an idle worker of a watch lets a busy one finish before it listens itself: a short visit is over by then.
const SHORT: Duration = Duration::from_millis(1);

/// The longest sleep of a worker before it checks again whether the run was stopped.
const SLICE: Duration = Duration::from_millis(50);

/// Makes all visits; returns when everything is over.
pub(crate) fn run(visits: &Visits<'_>, seed: Option<u64>, sink: Sink<'_>, jobs: NonZeroUsize) -> Summary {
    let clock = visits.host.clock();
    let log = EventLog::new(visits.program, sink, clock, clock.elapsed());
    let dispatcher = Dispatcher::new(visits, seed, OneShot, log);
    let jobs = jobs.min(NonZeroUsize::new(visits.program.graph.len()).unwrap_or(NonZeroUsize::MIN));
    let mut dispatcher = work_together(visits, dispatcher, IdleMode::Sleep, jobs);
    dispatcher.settle_pending();
    let is_secret = |node| dispatcher.schedule.walk.passed(node).secret;
    for (node, failure) in visits.overwritten(&dispatcher.settled, is_secret) {
        dispatcher.fail_late(node, failure);
    }
    if let Some(journal) = visits.journal.filter(|_| visits.mode() == Mode::Plan) {
        journal.planned(&visits.host);
    }
    for name in left_out(visits) {
        dispatcher.log.report(EventKind::OutputLeftOut { name: name.clone() });
    }
    dispatcher.log.end(output_values(visits));
    dispatcher.log.summary
}

/// Makes all visits, and those that become due, until the watch of this program is over.
pub(crate) fn watch<'a>(
    visits: &Visits<'_>,
    dispatcher: Dispatcher<'a, WatchMode<'a>>,
    reports: &Reports,
    jobs: NonZeroUsize,
) -> Dispatcher<'a, WatchMode<'a>> {
    let mut dispatcher = work_together(visits, dispatcher, IdleMode::Listen(reports), jobs);
    dispatcher.settle_pending();
    if !dispatcher.lifecycle.is_watching() {
        dispatcher.log.end(output_values(visits));
    }
    dispatcher
}

/// Works in this thread, and in as many more as `jobs` and the system allow. With one job a run is always the same.
fn work_together<'a, L: Lifecycle>(
    visits: &Visits<'_>,
    dispatcher: Dispatcher<'a, L>,
    waiting: IdleMode<'_>,
    jobs: NonZeroUsize,
) -> Dispatcher<'a, L> {
    let state = State { dispatcher, asleep: 0, busy: 0, jobs: jobs.get(), listening: None, is_broken: false };
    let shared = Shared {
        state: Mutex::new(state),
        finished: Condvar::new(),
        delivered: Condvar::new(),
        panic: model::Mutex::default(),
    };
    thread::scope(|scope| {
        let worker = Worker { visits, shared: &shared, waiting, scope };
        for _ in 1..jobs.get() {
            if !worker.start_another() {
                break;
            }
        }
        worker.work();
    });
    if let Some(panic) = shared.panic.into_inner() {
        resume_unwind(panic);
    }
    shared.state.into_inner().unwrap_or_else(PoisonError::into_inner).dispatcher
}

/// Everything that a thread needs to make visits.
struct Worker<'s, 'e, 'v, 'a, L> {
    visits: &'e Visits<'v>,
    shared: &'e Shared<'a, L>,
    waiting: IdleMode<'e>,
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
        let Self { visits, shared, waiting, .. } = self;
        let _wake_others = WakeOthers(shared, waiting);
        let Ok(mut state) = shared.state.lock() else { return };
        // Whether results of this worker were handed in since the journal was flushed.
        let mut has_results = false;
        loop {
            // A visit that was suspended goes on before a new one begins.
            if state.busy + state.dispatcher.schedule.tickets.delivered() >= state.jobs && !state.is_broken {
                if std::mem::take(&mut has_results) {
                    let Some(locked) = self.flush_unlocked(state) else { return };
                    state = locked;
                    continue;
                }
                let Some((woken, _)) = shared.sleep(state, None) else { return };
                state = woken;
                continue;
            }
            let next = state.dispatcher.next();
            shared.wake_senders(&state);
            let next = match next {
                Next::Done => return,
                _ if state.is_broken => return,
                Next::Round => {
                    let outputs = output_values(visits).collect();
                    state.dispatcher.end_round(outputs);
                    continue;
                }
                Next::Wait(_) if std::mem::take(&mut has_results) => {
                    let Some(locked) = self.flush_unlocked(state) else { return };
                    state = locked;
                    continue;
                }
                Next::Wait(until) => {
                    let Some(woken) = waiting.wait(shared, state, until, visits.host.clock()) else { return };
                    state = woken;
                    continue;
                }
                next => next,
            };
            state.busy += 1;
            let Some(mut locked) = self.execute(state, next) else { return };
            locked.busy -= 1;
            waiting.hand_over(shared, &mut locked);
            has_results = true;
            state = locked;
        }
    }

    /// Does what the dispatcher decided, and hands in the results; none if a worker panicked.
    fn execute(self, state: Locked<'e, 'a, L>, next: Next) -> Option<Locked<'e, 'a, L>> {
        self.waiting.share(self.shared, &state);
        drop(state);
        self.flush(false);
        let done = self.act(next);
        let mut state = self.shared.state.lock().ok()?;
        for (visit, visited, took) in done {
            state.dispatcher.finish(visit, visited, took);
        }
        self.shared.wake_senders(&state);
        Some(state)
    }

    /// Lets the journal write without the lock; none if a worker panicked.
    fn flush_unlocked(self, state: Locked<'e, 'a, L>) -> Option<Locked<'e, 'a, L>> {
        drop(state);
        self.flush(true);
        self.shared.state.lock().ok()
    }

    fn flush(self, is_idle: bool) {
        if let Some(journal) = self.visits.journal {
            journal.flush(is_idle);
        }
    }

    /// Makes visits. All visits of a batch take the same time; those that only write together share it.
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
            Next::Writes(parts) => {
                let (keys, parts): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
                let visited = self.visits.write_together(parts, &Sender { worker: self, visits: &keys });
                let each = took() / u32::try_from(keys.len().max(1)).unwrap_or(u32::MAX);
                keys.into_iter().zip(visited).map(|(visit, visited)| (visit, visited, each)).collect()
            }
            Next::Wait(_) | Next::Round | Next::Done => Vec::new(),
        }
    }
}

/// The dispatcher behind a lock; workers ask it for work and wait when there is none.
struct Shared<'a, L> {
    state: Mutex<State<'a, L>>,
    finished: Condvar,
    /// Wakes threads whose visit is suspended.
    delivered: Condvar,
    /// A panic of a reader of events, which a visit must not take for its own.
    panic: model::Mutex<Option<Box<dyn Any + Send>>>,
}

/// The state that all workers share.
struct State<'a, L> {
    dispatcher: Dispatcher<'a, L>,
    /// How many workers sleep. While there are none, none is woken: that costs a system call each time.
    asleep: usize,
    /// How many threads make a visit; a suspended one does not count.
    busy: usize,
    /// The most that may be busy.
    jobs: usize,
    /// Until when a worker listens to the machine, if one does: without end, unless something is due.
    listening: Option<Option<Duration>>,
    /// Whether a worker panicked.
    is_broken: bool,
}

/// The way in which an idle worker waits.
#[derive(Clone, Copy)]
enum IdleMode<'r> {
    /// Sleeps until something is finished or due.
    Sleep,
    /// Listens to the machine; one worker at a time, the others sleep.
    Listen(&'r Reports),
}

type Locked<'l, 'a, L> = MutexGuard<'l, State<'a, L>>;

impl IdleMode<'_> {
    /// Waits until there may be work; none if a worker panicked.
    fn wait<'l, 'a, L: Lifecycle>(
        self,
        shared: &'l Shared<'a, L>,
        state: Locked<'l, 'a, L>,
        until: Option<Duration>,
        clock: &dyn Clock,
    ) -> Option<Locked<'l, 'a, L>> {
        let IdleMode::Listen(reports) = self else {
            let span = until.map(|until| until.saturating_sub(clock.elapsed()));
            // A simulated time passes when every worker waits.
            let is_idle = state.busy + state.dispatcher.schedule.tickets.delivered() == 0;
            if is_idle && span.is_some_and(|span| clock.skip(span)) {
                return Some(state);
            }
            return shared.sleep(state, span.map(|span| span.min(SLICE))).map(|(state, _)| state);
        };
        shared.listen(state, until, clock, reports)
    }

    /// A worker begins a visit: another one may be needed, for more work or to listen.
    fn share<L: Lifecycle>(self, shared: &Shared<'_, L>, state: &State<'_, L>) {
        let has_ready = || !state.dispatcher.schedule.ready.is_empty();
        match self {
            IdleMode::Sleep if state.asleep > 0 && has_ready() => shared.finished.notify_one(),
            IdleMode::Listen(_) if state.asleep > 0 => shared.finished.notify_one(),
            IdleMode::Listen(reports) if state.listening.is_some() && has_ready() => reports.nudge(),
            IdleMode::Sleep | IdleMode::Listen(_) => {}
        }
    }

    /// A visit is suspended: wakes a worker that has nothing to do; false if there is none.
    fn wake_idle<L>(self, shared: &Shared<'_, L>, state: &State<'_, L>) -> bool {
        match self {
            _ if state.asleep > 0 => shared.finished.notify_all(),
            IdleMode::Listen(reports) if state.listening.is_some() => reports.nudge(),
            IdleMode::Sleep | IdleMode::Listen(_) => return false,
        }
        true
    }

    /// A worker has handed in its results: others may have work now.
    fn hand_over<L: Lifecycle>(self, shared: &Shared<'_, L>, state: &mut State<'_, L>) {
        match self {
            IdleMode::Sleep if state.asleep > 0 => shared.finished.notify_all(),
            IdleMode::Sleep => {}
            IdleMode::Listen(reports) => {
                let due = state.dispatcher.due();
                state.wake_listener(due, reports);
            }
        }
    }
}

impl<'a, L: Lifecycle> Shared<'a, L> {
    /// Wakes threads whose suspended visit can go on.
    fn wake_senders(&self, state: &State<'_, L>) {
        if state.dispatcher.schedule.tickets.delivered() > 0 {
            self.delivered.notify_all();
        }
    }

    /// Sleeps until a visit is over or suspended, or for this long; whether that time has passed. None if a worker panicked.
    fn sleep<'l>(
        &'l self,
        mut state: Locked<'l, 'a, L>,
        span: Option<Duration>,
    ) -> Option<(Locked<'l, 'a, L>, bool)> {
        state.asleep += 1;
        let (mut state, has_passed) = match span {
            None => (self.finished.wait(state).ok()?, false),
            Some(span) => {
                let (state, waited) = self.finished.wait_timeout(state, span).ok()?;
                (state, waited.timed_out())
            }
        };
        state.asleep -= 1;
        Some((state, has_passed))
    }

    /// Waits until something is reported, finished or due.
    fn listen<'l>(
        &'l self,
        mut state: Locked<'l, 'a, L>,
        until: Option<Duration>,
        clock: &dyn Clock,
        reports: &Reports,
    ) -> Option<Locked<'l, 'a, L>> {
        if state.listening.is_some() {
            state.wake_listener(until, reports);
            return self.sleep(state, None).map(|(state, _)| state);
        }
        if state.busy > 0 {
            let (woken, has_passed) = self.sleep(state, Some(SHORT))?;
            if !has_passed || woken.listening.is_some() {
                return Some(woken);
            }
            state = woken;
        }
        state.listening = Some(until);
        drop(state);
        reports.wait(until.map(|until| until.saturating_sub(clock.elapsed())));
        let mut state = self.state.lock().ok()?;
        state.listening = None;
        Some(state)
    }
}

impl<L> State<'_, L> {
    /// Wakes the listening worker if something is due before it would wake up.
    fn wake_listener(&self, due: Option<Duration>, reports: &Reports) {
        if let (Some(until), Some(due)) = (self.listening, due)
            && until.is_none_or(|until| due < until)
        {
            reports.nudge();
        }
    }
}

/// Wakes the other workers when one ends, however it ends: if a reader of events panicked, the lock is poisoned, and they
/// end, too.
struct WakeOthers<'l, 'a, L>(&'l Shared<'a, L>, IdleMode<'l>);

impl<L> Drop for WakeOthers<'_, '_, L> {
    fn drop(&mut self) {
        if thread::panicking()
            && let Ok(mut state) = self.0.state.lock()
        {
            // It may have been the listening one.
            state.is_broken = true;
        }
        self.0.finished.notify_all();
        self.0.delivered.notify_all();
        if let IdleMode::Listen(reports) = self.1 {
            reports.nudge();
        }
    }
}
