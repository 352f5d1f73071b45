//! Who does the visits: this thread alone, or several. The only module that starts threads.
#![expect(clippy::disallowed_methods, reason = "the one module that starts threads")]

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use uphold_resource::Clock;

use crate::ask::{Answered, Extra};
use crate::dispatcher::{Dispatcher, Next};
use crate::hold::{Parting, Watching};
use crate::outputs::tell;
use crate::turn::Turn;
use crate::visit::{Visited, Visits};

/// Makes all visits; returns when everything is done.
pub(crate) fn run(visits: &Visits<'_>, dispatcher: Dispatcher<'_>, jobs: NonZeroUsize) -> crate::Summary {
    if jobs.get() == 1 { inline(visits, dispatcher) } else { threads(visits, dispatcher, jobs) }
}

/// One after the other, in this thread: always the same run.
fn inline(visits: &Visits<'_>, mut dispatcher: Dispatcher<'_>) -> crate::Summary {
    loop {
        match dispatcher.next() {
            Next::Done | Next::Over => return end(visits, dispatcher),
            Next::Wait(until) => pause(visits.host.clock(), until),
            next => act(visits, next).into_iter().for_each(|done| done.hand_in(&mut dispatcher)),
        }
    }
}

/// Makes all visits, and those that become due, until the watch of this program is over.
pub(crate) fn hold(
    visits: &Visits<'_>,
    dispatcher: Dispatcher<'_>,
    watching: &Watching,
    jobs: NonZeroUsize,
) -> Parting {
    let shared = Shared::new(dispatcher);
    thread::scope(|scope| {
        for _ in 1..jobs.get() {
            if thread::Builder::new().spawn_scoped(scope, || keep(visits, &shared, watching)).is_err() {
                break;
            }
        }
        keep(visits, &shared, watching);
    });
    let mut dispatcher = shared.desk.into_inner().unwrap_or_else(PoisonError::into_inner).dispatcher;
    if !dispatcher.is_steady() {
        dispatcher.tell(tell(&visits.program.outputs, &visits.scope(), visits.mode(), false));
    }
    dispatcher.part()
}

/// Works until the watch is over. Whoever has nothing to do listens to the machine; one at a time, the others sleep.
fn keep(visits: &Visits<'_>, shared: &Shared<'_>, watching: &Watching) {
    let clock: &dyn Clock = visits.host.clock();
    let _bell = Bell(shared, Some(watching));
    let Ok(mut desk) = shared.desk.lock() else { return };
    loop {
        let next = match desk.dispatcher.next() {
            Next::Done => return,
            _ if desk.is_broken => return,
            Next::Over => {
                desk.dispatcher.settle_down(visits);
                continue;
            }
            Next::Wait(until) => {
                let Some(woken) = shared.listen(desk, until, clock, watching) else { return };
                desk = woken;
                continue;
            }
            next => next,
        };
        // Somebody has to listen, and to do the rest.
        match desk.waiting {
            0 if desk.listening.is_some() && desk.dispatcher.has_more() => watching.nudge(),
            0 => {}
            _ => shared.finished.notify_one(),
        }
        drop(desk);
        let done = act(visits, next);
        let Ok(locked) = shared.desk.lock() else { return };
        desk = locked;
        done.into_iter().for_each(|done| done.hand_in(&mut desk.dispatcher));
        let due = desk.dispatcher.due();
        desk.hurry(due, watching);
    }
}

/// Something that was done.
enum Done {
    /// A visit.
    Visit { turn: Turn, visited: Visited, took: Duration },
    /// What stands nowhere in the list.
    Extra { extra: Extra, answered: Answered },
}

impl Done {
    fn hand_in(self, dispatcher: &mut Dispatcher<'_>) {
        match self {
            Self::Visit { turn, visited, took } => dispatcher.finish(turn, visited, took),
            Self::Extra { extra, answered } => dispatcher.finish_extra(&extra, answered),
        }
    }
}

/// Does what the dispatcher asked for. Those that are changed together take the same time.
fn act(visits: &Visits<'_>, next: Next) -> Vec<Done> {
    let clock = visits.host.clock();
    let began = clock.elapsed();
    let took = || clock.elapsed().saturating_sub(began);
    match next {
        Next::Visit(turn, phase, before) => {
            let visited = visits.visit(turn.node, phase, &before);
            vec![Done::Visit { turn, visited, took: took() }]
        }
        Next::Together(parts) => {
            let (turns, parts): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
            let visited = visits.visit_together(parts);
            let done = |(turn, visited)| Done::Visit { turn, visited, took: took() };
            turns.into_iter().zip(visited).map(done).collect()
        }
        Next::Extra(extra) => {
            let answered = visits.answer(&extra);
            vec![Done::Extra { extra, answered }]
        }
        Next::Wait(_) | Next::Over | Next::Done => Vec::new(),
    }
}

/// How long nobody listens to the machine because those who would are busy.
const SHORT: Duration = Duration::from_millis(1);

/// How long nobody looks whether the run should end.
const SLICE: Duration = Duration::from_millis(50);

/// Lets the time pass until then, or a part of it.
fn pause(clock: &dyn Clock, until: Option<Duration>) {
    let span = until.map_or(SLICE, |until| until.saturating_sub(clock.elapsed()));
    if !clock.skip(span) {
        thread::sleep(span.min(SLICE));
    }
}

/// Everything is done: what is left is to find resources that undid each other's work, and to report the outputs.
fn end(visits: &Visits<'_>, mut dispatcher: Dispatcher<'_>) -> crate::Summary {
    dispatcher.fail_overwritten(visits);
    let (scope, complete) = (visits.scope(), dispatcher.is_success());
    dispatcher.end(tell(&visits.program.outputs, &scope, visits.mode(), complete))
}

/// The dispatcher behind a lock; workers ask it for work and wait when there is none.
struct Shared<'a> {
    desk: Mutex<Desk<'a>>,
    finished: Condvar,
}

impl<'a> Shared<'a> {
    fn new(dispatcher: Dispatcher<'a>) -> Self {
        let desk = Desk { dispatcher, waiting: 0, busy: 0, listening: None, is_broken: false };
        Self { desk: Mutex::new(desk), finished: Condvar::new() }
    }

    /// Waits until something is reported, finished or due; none if a worker panicked.
    fn listen<'l>(
        &'l self,
        mut desk: MutexGuard<'l, Desk<'a>>,
        until: Option<Duration>,
        clock: &dyn Clock,
        watching: &Watching,
    ) -> Option<MutexGuard<'l, Desk<'a>>> {
        if desk.listening.is_some() {
            desk.hurry(until, watching);
            desk.waiting += 1;
            let mut desk = self.finished.wait(desk).ok()?;
            desk.waiting -= 1;
            return Some(desk);
        }
        // A short visit is over soon, and who makes it listens again: nobody else has to.
        if desk.dispatcher.is_visiting() {
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
        watching.wait(until.map(|until| until.saturating_sub(clock.elapsed())));
        let mut desk = self.desk.lock().ok()?;
        desk.listening = None;
        Some(desk)
    }

    /// Waits until something is finished, or for a part of this span; none if a worker panicked.
    fn wait<'l>(
        &'l self,
        desk: MutexGuard<'l, Desk<'a>>,
        span: Option<Duration>,
    ) -> Option<MutexGuard<'l, Desk<'a>>> {
        match span {
            None => self.finished.wait(desk).ok(),
            Some(span) => self.finished.wait_timeout(desk, span.min(SLICE)).ok().map(|(desk, _)| desk),
        }
    }
}

/// What the lock guards.
struct Desk<'a> {
    dispatcher: Dispatcher<'a>,
    /// How many workers wait. While all are busy, nobody needs to be woken, which costs a system
    /// call each time.
    waiting: usize,
    /// How many workers are at work.
    busy: usize,
    /// Until when one of them listens to the machine, if one does: for ever, unless something is due.
    listening: Option<Option<Duration>>,
    /// Whether a worker panicked.
    is_broken: bool,
}

impl Desk<'_> {
    /// Something is due: who listens may have to wake up earlier than it thinks.
    fn hurry(&self, due: Option<Duration>, watching: &Watching) {
        if let (Some(until), Some(due)) = (self.listening, due)
            && until.is_none_or(|until| due < until)
        {
            watching.nudge();
        }
    }
}

/// Wakes the others when a worker ends, however it ends: if a reader of events panicked, the
/// lock is poisoned, and they end, too.
struct Bell<'l, 'a>(&'l Shared<'a>, Option<&'l Watching>);

impl Drop for Bell<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            // It may have listened, and nobody would.
            self.0.desk.lock().into_iter().for_each(|mut desk| desk.is_broken = true);
        }
        self.0.finished.notify_all();
        self.1.into_iter().for_each(Watching::nudge);
    }
}

fn threads(visits: &Visits<'_>, dispatcher: Dispatcher<'_>, jobs: NonZeroUsize) -> crate::Summary {
    let shared = Shared::new(dispatcher);
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
    let _bell = Bell(shared, None);
    let Ok(mut desk) = shared.desk.lock() else { return };
    loop {
        let next = match desk.dispatcher.next() {
            Next::Done | Next::Over => return,
            Next::Wait(until) => {
                let span = until.map(|until| until.saturating_sub(clock.elapsed()));
                // A simulated time passes when everybody waits.
                if desk.busy == 0 && span.is_some_and(|span| clock.skip(span)) {
                    continue;
                }
                desk.waiting += 1;
                let Some(woken) = shared.wait(desk, span) else { return };
                desk = woken;
                desk.waiting -= 1;
                continue;
            }
            next => next,
        };
        desk.busy += 1;
        if desk.waiting > 0 && desk.dispatcher.has_more() {
            shared.finished.notify_one();
        }
        drop(desk);
        let done = act(visits, next);
        let Ok(locked) = shared.desk.lock() else { return };
        desk = locked;
        desk.busy -= 1;
        done.into_iter().for_each(|done| done.hand_in(&mut desk.dispatcher));
        if desk.waiting > 0 {
            shared.finished.notify_all();
        }
    }
}

/// Does `work` for each number below `count`, several at a time, in threads of their own. `done` gets the results in
/// this thread, in the order of the numbers, each as soon as all before it are there.
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
            let labour = move || {
                while let Some(number) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|next| *next < count)
                {
                    // Nobody listens any more if `done` panicked.
                    if sender.send((number, work(number))).is_err() {
                        return;
                    }
                }
            };
            if thread::Builder::new().spawn_scoped(scope, labour).is_err() {
                break;
            }
        }
        // What no thread could be had for is done here.
        drop(sender);
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        while wanted < count {
            let result = early.remove(&wanted).or_else(|| await_result(&results, wanted, &mut early));
            match result {
                Some(result) => done(result),
                None if next.load(Ordering::Relaxed) == 0 => done(work(wanted)),
                // A thread panicked: the scope passes that on.
                None => return,
            }
            wanted += 1;
        }
    });
}

/// The result of this number; those of later ones that come before are kept.
fn await_result<T>(
    results: &mpsc::Receiver<(usize, T)>,
    wanted: usize,
    early: &mut BTreeMap<usize, T>,
) -> Option<T> {
    loop {
        match results.recv() {
            Ok((number, result)) if number == wanted => return Some(result),
            Ok((number, result)) => _ = early.insert(number, result),
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whoever_is_first() {
        let check = |jobs: usize, count: usize| {
            let mut results = Vec::new();
            // Early ones take longest.
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
