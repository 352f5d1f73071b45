//! Visits that need no report: polls, retries after a backoff, and visits that wait because there were too many.

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Limit, Retry};

use crate::cause::Wake;
use crate::graph::NodeIndex;
use crate::schedule::{DueQueue, delay};
use crate::watch::health::Ending;

/// No report brings a visit forward to less than this after a failure, or after a change during a repair.
pub(crate) const SHORTEST_WAIT: Duration = Duration::from_millis(200);
/// The limit of reported visits in [`SPAN`]; a repair counts as ten of them.
const MOST_VISITS: u32 = 100;
const REPAIR: u32 = 10;
const SPAN: Duration = Duration::from_secs(10);
/// After this long without too many visits, earlier ones are forgotten.
const CALM: Duration = Duration::from_secs(60);
/// How often a resource is repaired once more at once, if it was changed meanwhile.
const REPAIRS_AT_ONCE: u32 = 3;

/// Why a node is due although nothing was reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Timer {
    Poll,
    /// It failed.
    Retry,
    /// It was woken, but too often.
    Limit,
    /// Its notification run failed.
    Notification,
    /// It is paused.
    Pause,
    /// The maintenance window is closed.
    Window,
    /// Its notification run is due, and it is paused.
    PausedNotification,
}

impl Timer {
    /// Why a node is visited when its pause ends, or when the maintenance window opens.
    pub(crate) fn resumed(self) -> Wake {
        if self == Timer::Window { Wake::WindowOpened } else { Wake::Resumed }
    }
}

/// The next visit of each node, one time for each reason; and the failures and visits so far, which decide how soon that is.
pub(crate) struct Revisits<'p> {
    pub(super) timers: DueQueue<(NodeIndex, Timer)>,
    polls: FxHashMap<NodeIndex, Duration>,
    limits: FxHashMap<NodeIndex, &'p Limit>,
    /// Nodes that cannot be watched.
    pub(super) blind: FxHashSet<NodeIndex>,
    /// How often those are polled.
    every: Duration,
    failures: FxHashMap<NodeIndex, Failures>,
    /// When nodes with a `limit` were visited.
    visits: FxHashMap<NodeIndex, Vec<Duration>>,
    rates: FxHashMap<NodeIndex, VisitRate>,
    /// How often nodes were repaired once more because they were changed meanwhile.
    repaired_again: FxHashMap<NodeIndex, u32>,
}

impl<'p> Revisits<'p> {
    pub(crate) fn new(
        polls: FxHashMap<NodeIndex, Duration>,
        limits: FxHashMap<NodeIndex, &'p Limit>,
        blind: FxHashSet<NodeIndex>,
        every: Duration,
    ) -> Self {
        Self {
            timers: DueQueue::default(),
            polls,
            limits,
            blind,
            every,
            failures: FxHashMap::default(),
            visits: FxHashMap::default(),
            rates: FxHashMap::default(),
            repaired_again: FxHashMap::default(),
        }
    }

    /// Sets the time of the next poll of a node. `interval`: how often its kind wants it polled.
    pub(crate) fn poll(&mut self, node: NodeIndex, interval: Option<Duration>, now: Duration) {
        let declared = self.polls.get(&node).copied();
        let blind = self.blind.contains(&node).then_some(self.every);
        if let Some(span) = declared.or(interval).into_iter().chain(blind).min() {
            self.timers.set((node, Timer::Poll), now.saturating_add(span));
        }
    }

    /// A node cannot be watched, and is polled this often: none if that is known.
    pub(crate) fn blind(&mut self, node: NodeIndex, now: Duration) -> Option<Duration> {
        self.timers.bring_forward((node, Timer::Poll), now.saturating_add(self.every));
        self.blind.insert(node).then_some(self.every)
    }

    /// A node can be watched: whether it could not before.
    pub(crate) fn sighted(&mut self, node: NodeIndex) -> bool {
        let was_blind = self.blind.remove(&node);
        if was_blind {
            self.timers.cancel((node, Timer::Poll));
        }
        was_blind
    }

    /// A node is woken: whether its visit has to wait, because there were too many or it has just failed. A visit that backed
    /// off has waited.
    pub(crate) fn delays(&mut self, node: NodeIndex, is_retry: bool, now: Duration) -> bool {
        let limit = self.limits.get(&node).copied();
        let not_before = self.not_before(node, limit, now);
        if let Some(at) = not_before.filter(|_| !is_retry) {
            self.timers.bring_forward((node, Timer::Limit), at);
            return true;
        }
        self.timers.cancel((node, Timer::Limit));
        self.timers.cancel((node, Timer::Retry));
        if limit.is_some() {
            self.visits.entry(node).or_default().push(now);
        }
        false
    }

    /// A node failed: how often in a row, and how long it backs off.
    pub(crate) fn back_off(&mut self, node: NodeIndex, timer: Timer, now: Duration) -> (u32, Duration) {
        let failures = self.failures.entry(node).or_insert(Failures { times: 0, last: now });
        failures.times = failures.times.saturating_add(1);
        failures.last = now;
        let (times, after) = (failures.times, delay(&back_off(), failures.times, now));
        self.timers.set((node, timer), now.saturating_add(after));
        (times, after)
    }

    /// A visit is over: its node is visited again when its pause ends, if it is paused.
    pub(crate) fn pause(&mut self, node: NodeIndex, timer: Timer, left: Option<Duration>, now: Duration) {
        match left {
            Some(left) => self.timers.set((node, timer), now.saturating_add(left)),
            None => self.timers.cancel((node, timer)),
        }
    }

    /// The same, for a visit that no notification asked for.
    pub(crate) fn hold(&mut self, node: NodeIndex, ending: Ending, now: Duration) {
        self.pause(node, Timer::Pause, ending.pause(), now);
        self.pause(node, Timer::Window, ending.window(), now);
    }

    /// Other nodes are paused from now on: all that were paused are due.
    pub(crate) fn pauses_changed(&mut self, now: Duration) {
        for timer in [Timer::Pause, Timer::PausedNotification] {
            for node in self.waiting(timer) {
                self.timers.set((node, timer), now);
            }
        }
    }

    /// Nodes that wait for this reason.
    pub(crate) fn waiting(&self, timer: Timer) -> FxHashSet<NodeIndex> {
        self.timers.keys().filter(|(_, due)| *due == timer).map(|(node, _)| node).collect()
    }

    /// A node did not fail.
    pub(crate) fn succeeded(&mut self, node: NodeIndex) {
        self.failures.remove(&node);
        self.repaired_again.remove(&node);
    }

    /// Whether a resource that was changed while it was repaired is repaired once more at once. Limited, so that a kind
    /// that never converges still fails.
    pub(crate) fn may_repair_again(&mut self, node: NodeIndex) -> bool {
        let times = self.repaired_again.entry(node).or_default();
        *times += 1;
        *times <= REPAIRS_AT_ONCE
    }

    /// A node was visited because of a report, and perhaps repaired. If that happened too often, how long it is not
    /// visited now.
    pub(crate) fn count_visit(&mut self, node: NodeIndex, repaired: bool, now: Duration) -> Option<Duration> {
        let VisitRate { weight, since, last, excesses, not_before } = self.rates.entry(node).or_default();
        if now.saturating_sub(*last) > CALM {
            *excesses = 0;
        }
        if now.saturating_sub(*since) > SPAN {
            (*weight, *since) = (0, now);
        }
        *last = now;
        *weight += if repaired { REPAIR } else { 1 };
        if *weight <= MOST_VISITS {
            return None;
        }
        *excesses = excesses.saturating_add(1);
        (*weight, *since) = (0, now);
        let retry = Retry { longest: Duration::from_secs(30), ..back_off() };
        let wait = delay(&retry, *excesses, now);
        *not_before = now.saturating_add(wait);
        Some(wait)
    }

    /// When a node may be visited that is woken now; none if at once.
    fn not_before(&mut self, node: NodeIndex, limit: Option<&Limit>, now: Duration) -> Option<Duration> {
        let failed = self.failures.get(&node).map(|failures| failures.last.saturating_add(SHORTEST_WAIT));
        let overloaded = self.rates.get(&node).map(|rate| rate.not_before);
        let limited = limit.and_then(|limit| self.limited(node, limit, now));
        failed.into_iter().chain(overloaded).chain(limited).max().filter(|at| *at > now)
    }

    fn limited(&mut self, node: NodeIndex, limit: &Limit, now: Duration) -> Option<Duration> {
        let visits = self.visits.get_mut(&node)?;
        visits.retain(|time| now.saturating_sub(*time) < limit.per);
        let most = usize::try_from(limit.times.max(1)).unwrap_or(usize::MAX);
        let full = visits.len().checked_sub(most)?;
        visits.get(full).map(|first| first.saturating_add(limit.per))
    }
}

#[derive(Clone, Copy)]
struct Failures {
    times: u32,
    last: Duration,
}

#[derive(Default)]
struct VisitRate {
    /// Visits since `since`; a repair counts as ten.
    weight: u32,
    since: Duration,
    last: Duration,
    /// How often in a row there were too many.
    excesses: u32,
    not_before: Duration,
}

/// Longer each time, up to five minutes, with jitter: machines that fail together do not retry together.
fn back_off() -> Retry {
    let (delay, longest) = (Duration::from_secs(1), Duration::from_secs(300));
    Retry { delay, backoff: 2.0, longest, jitter: 0.25, ..Retry::times(0) }
}
