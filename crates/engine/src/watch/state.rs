//! The state of a watch: how each node is, and which visits are due because something may have changed.
//!
//! A pure value: no thread, no clock, no IO. What has to be done comes back as [`WatchEffect`]s, in order.

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Moment, ResourceId};
use uphold_resource::Interest;

use super::backoff::{Backoff, PAUSE};
use super::health::{Ending, Health, HealthMap};
use super::shape::WatchShape;
use crate::control::WatchRequest;
use crate::event::Wake;
use crate::graph::NodeIndex;
use crate::notifications::NotificationRun;
use crate::schedule::{DueQueue, Visit};
use crate::set::ResourceIndex;

/// What the dispatcher has to do for a watch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WatchEffect {
    /// Make a visit ready.
    Due(Visit),
    /// Make a visit ready at a time.
    DueAt(Visit, Duration),
    /// Bring a visit forward that waits until its resource is ready.
    Hasten(NodeIndex),
    /// Load a node, even if it is declared as in the previous program.
    Distrust(NodeIndex),
    /// Keep a failed notification run, to be repeated.
    KeepFailed(Visit),
    /// Repeat the failed notification run of a target.
    NotifyAgain(NodeIndex),
    /// Report that a node is visited again after this long.
    BackingOff { node: NodeIndex, failures: u32, after: Duration },
    /// Report that a node is not visited for a while, because it changes all the time.
    Pausing { node: NodeIndex, pause: Duration },
    /// Report that a node cannot be watched, and is polled instead.
    Blind { node: NodeIndex, because: String, every: Duration },
    /// Report that a node can be watched again.
    Sighted(NodeIndex),
    /// Report that the kernel has dropped reports.
    ReportsLost,
}

/// What becomes of a ready visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    Take,
    /// It is dropped, or waits for another node.
    Aside,
    /// It is skipped, because this dependency has failed.
    Block(NodeIndex),
}

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
}

/// How a visit ended whose immediate notifications are under way.
#[derive(Clone, Copy)]
struct Ended {
    health: Health,
    changed: bool,
}

/// The state of a watch.
///
/// # Guarantees
/// No report during a visit is lost. A woken node waits for dependencies that are woken, too. A node is blocked only while
/// one of its dependencies has failed.
pub(crate) struct WatchState<'p> {
    shape: WatchShape<'p>,
    request: &'p WatchRequest,
    health: HealthMap,
    /// Woken nodes that are queued or busy.
    restless: FxHashSet<NodeIndex>,
    ended: FxHashMap<NodeIndex, Ended>,
    /// Why a node is queued or busy.
    wakes: FxHashMap<NodeIndex, Wake>,
    /// Nodes that were woken while busy: they are visited once more.
    again: FxHashMap<NodeIndex, Wake>,
    /// Visits that wait for a restless node.
    parked: FxHashMap<NodeIndex, Vec<Visit>>,
    /// Members of groups that something they subscribe to has changed for.
    called: FxHashSet<NodeIndex>,
    timers: DueQueue<(NodeIndex, Timer)>,
    backoff: Backoff,
    /// Nodes that cannot be watched.
    blind: FxHashSet<NodeIndex>,
    /// Nodes that wait until their resource is ready.
    waiting: FxHashSet<NodeIndex>,
    /// Visits that are under way.
    visiting: FxHashSet<NodeIndex>,
    /// Visits that were under way when another program was given; none if it was not.
    stragglers: Option<FxHashSet<NodeIndex>>,
    /// Whether every node was visited once.
    is_watching: bool,
    began: Duration,
    changed_at: Duration,
    recheck_at: Option<Duration>,
}

impl<'p> WatchState<'p> {
    /// `kept`: nodes that go on as in the previous program; the others were not visited yet.
    pub(crate) fn new(
        shape: WatchShape<'p>,
        request: &'p WatchRequest,
        kept: &[bool],
        blind: FxHashSet<NodeIndex>,
        began: Duration,
        now: Duration,
    ) -> Self {
        Self {
            shape,
            request,
            health: HealthMap::new(kept),
            restless: FxHashSet::default(),
            ended: FxHashMap::default(),
            wakes: FxHashMap::default(),
            again: FxHashMap::default(),
            parked: FxHashMap::default(),
            called: FxHashSet::default(),
            timers: DueQueue::default(),
            backoff: Backoff::default(),
            blind,
            waiting: FxHashSet::default(),
            visiting: FxHashSet::default(),
            stragglers: None,
            is_watching: false,
            began,
            changed_at: now,
            recheck_at: request.recheck.map(|span| now.saturating_add(span)),
        }
    }

    // Waking.

    /// A node may have changed: its visit is due, unless it is already.
    pub(crate) fn wake(&mut self, node: NodeIndex, why: Wake, now: Duration, out: &mut Vec<WatchEffect>) {
        out.push(WatchEffect::Distrust(node));
        let health = self.health.of(node);
        match health {
            Health::Busy if self.waiting.contains(&node) => return out.push(WatchEffect::Hasten(node)),
            Health::Unseen | Health::Queued => return,
            Health::Busy => {
                self.again.entry(node).or_insert(why);
                return;
            }
            // It is visited when its dependencies have recovered.
            Health::Blocked if self.failed_dependency(node).is_some() => return,
            Health::Idle | Health::Failed | Health::Blocked => {}
        }
        if !self.shape.index.is_watched(node) && !health.is_trouble() && !self.called.contains(&node) {
            return;
        }
        let limit = self.shape.limits.get(&node).copied();
        let not_before = self.backoff.not_before(node, limit, now);
        if let Some(at) = not_before.filter(|_| why != Wake::Retried) {
            self.timers.bring_forward((node, Timer::Limit), at);
            self.wakes.entry(node).or_insert(why);
            return;
        }
        self.timers.cancel((node, Timer::Limit));
        self.timers.cancel((node, Timer::Retry));
        if let Some(limit) = limit {
            self.backoff.visited(node, limit, now);
        }
        self.health.set(node, Health::Queued);
        self.restless.insert(node);
        self.wakes.entry(node).or_insert(why);
        out.push(WatchEffect::Due(Visit::woken(node)));
    }

    fn wake_each(&mut self, nodes: &[NodeIndex], why: &Wake, now: Duration, out: &mut Vec<WatchEffect>) {
        for node in nodes {
            self.wake(*node, why.clone(), now, out);
        }
    }

    /// Every watched node may have changed.
    pub(crate) fn wake_all(&mut self, why: &Wake, now: Duration, out: &mut Vec<WatchEffect>) {
        let all: Vec<NodeIndex> = self.shape.index.watched().collect();
        self.wake_each(&all, why, now, out);
    }

    /// Whether a report wakes a node now. A visit that is under way may see the change by itself.
    pub(crate) fn hears(&self, node: NodeIndex) -> bool {
        self.health.of(node) != Health::Busy || self.waiting.contains(&node)
    }

    /// A node cannot be watched, and is polled.
    pub(crate) fn blind(
        &mut self,
        node: NodeIndex,
        because: String,
        now: Duration,
        out: &mut Vec<WatchEffect>,
    ) {
        let every = self.request.blind;
        self.timers.bring_forward((node, Timer::Poll), now.saturating_add(every));
        if self.blind.insert(node) {
            out.push(WatchEffect::Blind { node, because, every });
        }
    }

    /// A node can be watched again. `interval`: how often its kind wants it polled.
    pub(crate) fn sighted(
        &mut self,
        node: NodeIndex,
        interval: Option<Duration>,
        now: Duration,
        out: &mut Vec<WatchEffect>,
    ) {
        if self.blind.remove(&node) {
            self.timers.cancel((node, Timer::Poll));
            self.poll(node, interval, now);
            out.push(WatchEffect::Sighted(node));
        }
    }

    /// Time has come this far; `recheck`: somebody wants everything checked.
    pub(crate) fn advance(&mut self, recheck: bool, now: Duration, out: &mut Vec<WatchEffect>) {
        while let Some((node, timer)) = self.timers.pop(now) {
            match timer {
                Timer::Poll => self.wake(node, Wake::Polled, now, out),
                Timer::Retry => self.wake(node, Wake::Retried, now, out),
                Timer::Limit => {
                    let why = self.wakes.remove(&node).unwrap_or(Wake::Polled);
                    self.wake(node, why, now, out);
                }
                Timer::Notification => out.push(WatchEffect::NotifyAgain(node)),
            }
        }
        if recheck || self.recheck_at.is_some_and(|at| at <= now) {
            self.recheck_at = self.request.recheck.map(|span| now.saturating_add(span));
            self.wake_all(&Wake::Rechecked, now, out);
        }
    }

    /// Sets the time of the next visit that needs no report.
    fn poll(&mut self, node: NodeIndex, interval: Option<Duration>, now: Duration) {
        if !self.shape.index.is_watched(node) {
            return;
        }
        let declared = self.shape.polls.get(&node).copied();
        let blind = self.blind.contains(&node).then_some(self.request.blind);
        if let Some(span) = declared.or(interval).into_iter().chain(blind).min() {
            self.timers.set((node, Timer::Poll), now.saturating_add(span));
        }
    }

    /// Sets the poll time of a node that goes on as in the previous program.
    pub(crate) fn keep(&mut self, node: NodeIndex, interval: Option<Duration>) {
        let declared = self.shape.polls.get(&node).copied();
        let blind = self.blind.contains(&node).then_some(self.request.blind);
        if let Some(span) = declared.or(interval).into_iter().chain(blind).min() {
            self.timers.set((node, Timer::Poll), self.changed_at.saturating_add(span));
        }
    }

    // A visit, from ready to settled.

    /// What becomes of a ready visit.
    pub(crate) fn admit(
        &mut self,
        visit: Visit,
        run: Option<&NotificationRun>,
        stopped: bool,
        out: &mut Vec<WatchEffect>,
    ) -> Admission {
        let is_new = visit.is_woken() && visit.is_first();
        if is_new && stopped {
            self.drop_visit(visit, out);
            return Admission::Aside;
        }
        if let Some(awaited) = self.awaited_by(visit, run) {
            self.parked.entry(awaited).or_default().push(visit);
            return Admission::Aside;
        }
        match self.root_cause(visit.node).filter(|_| is_new) {
            Some(root) => {
                self.ended.insert(visit.node, Ended { health: Health::Blocked, changed: false });
                Admission::Block(root)
            }
            None => Admission::Take,
        }
    }

    /// The watch ends: a visit that has not begun is dropped, and visits that waited for it go on.
    fn drop_visit(&mut self, visit: Visit, out: &mut Vec<WatchEffect>) {
        if self.is_only_checked(visit) {
            self.health.set(visit.node, Health::Idle);
        }
        self.restless.remove(&visit.node);
        self.unpark(visit.node, out);
    }

    /// The node that a visit has to wait for. A visit that another one waits for does not wait itself.
    fn awaited_by(&self, visit: Visit, run: Option<&NotificationRun>) -> Option<NodeIndex> {
        let moment = run.map(|run| run.moment);
        let urgent = matches!(moment, Some(Moment::Before | Moment::Immediately));
        if urgent || !visit.is_first() || (visit.is_notified() && !self.is_watching) {
            return None;
        }
        // There is no end of a run at which success is decided: `on_success` waits until nothing has failed.
        let waits = moment == Some(Moment::OnSuccess);
        self.restless_before(visit).or_else(|| self.health.first_trouble().filter(|_| waits))
    }

    /// A restless dependency, or a restless notifier of a notified visit.
    fn restless_before(&self, visit: Visit) -> Option<NodeIndex> {
        let others = self.restless.len() - usize::from(self.restless.contains(&visit.node));
        if others == 0 {
            return None;
        }
        if visit.is_notified() {
            let notifies = |node: &NodeIndex| self.shape.index.notifies(*node, visit.node);
            if let Some(notifier) = self.restless.iter().copied().find(notifies) {
                return Some(notifier);
            }
        }
        self.shape.predecessors.nearest(visit.node, |before| self.restless.contains(&before))
    }

    /// A visit begins.
    pub(crate) fn began(&mut self, visit: Visit) {
        self.visiting.insert(visit.node);
        self.waiting.remove(&visit.node);
        if !visit.is_notified() {
            self.health.set(visit.node, Health::Busy);
        }
    }

    /// A visit no longer executes; perhaps it goes on later.
    pub(crate) fn left(&mut self, node: NodeIndex) {
        self.visiting.remove(&node);
        if let Some(stragglers) = &mut self.stragglers {
            stragglers.remove(&node);
        }
    }

    /// A visit waits until its resource is ready. `reported`: something was reported meanwhile.
    pub(crate) fn waits(&mut self, visit: Visit, reported: bool, out: &mut Vec<WatchEffect>) {
        if visit.is_notified() {
            return;
        }
        self.waiting.insert(visit.node);
        if reported {
            out.push(WatchEffect::Hasten(visit.node));
        }
    }

    /// Whether a failure does not count, because the visit is repeated: a dependency has drifted, too (whoever removes a
    /// directory removes its entries first), or the resource was changed while it was repaired.
    pub(crate) fn excuse(
        &mut self,
        visit: Visit,
        still_differs: bool,
        now: Duration,
        out: &mut Vec<WatchEffect>,
    ) -> bool {
        let visit = visit.from_start();
        if let Some(awaited) = self.restless_before(visit) {
            let health = if visit.is_woken() { Health::Queued } else { Health::Unseen };
            self.health.set(visit.node, health);
            self.parked.entry(awaited).or_default().push(visit);
            return true;
        }
        if visit.is_woken() && still_differs && self.backoff.may_insist(visit.node) {
            self.health.set(visit.node, Health::Queued);
            // Another program may be in the middle of writing: a file that is half written is not ours to replace.
            out.push(WatchEffect::DueAt(visit, now.saturating_add(PAUSE)));
            return true;
        }
        false
    }

    /// A visit is over, as far as the node itself is concerned. `interval`: how often its kind wants it polled.
    pub(crate) fn ended(
        &mut self,
        visit: Visit,
        ending: Ending,
        interval: Option<Duration>,
        now: Duration,
        out: &mut Vec<WatchEffect>,
    ) {
        let node = visit.node;
        let changed = ending == Ending::Changed;
        if changed {
            self.changed_at = now;
        }
        if visit.is_notified() {
            if ending.is_failure() {
                out.push(WatchEffect::KeepFailed(visit));
                self.back_off(node, Timer::Notification, now, out);
            } else {
                self.backoff.succeeded(node);
            }
            return;
        }
        let health = match ending {
            Ending::Blocked if self.failed_dependency(node).is_some() => Health::Blocked,
            // It was as declared, and no report says otherwise.
            Ending::Stopped if self.is_only_checked(visit) => Health::Idle,
            Ending::Stopped => Health::Unseen,
            Ending::Failed | Ending::Blocked | Ending::Skipped => Health::Failed,
            Ending::Well | Ending::Changed | Ending::Ignored => Health::Idle,
        };
        self.ended.insert(node, Ended { health, changed });
        if ending.is_failure() || health == Health::Failed {
            self.back_off(node, Timer::Retry, now, out);
        } else if health == Health::Idle {
            self.backoff.succeeded(node);
        }
        self.pause_fights(visit, changed, now, out);
        self.poll(node, interval, now);
    }

    fn back_off(&mut self, node: NodeIndex, timer: Timer, now: Duration, out: &mut Vec<WatchEffect>) {
        let (failures, after) = self.backoff.failed(node, now);
        self.timers.set((node, timer), now.saturating_add(after));
        out.push(WatchEffect::BackingOff { node, failures, after });
    }

    /// A node that is reported all the time is changed by another program all the time, or by its own visits: it is not
    /// visited for a while.
    fn pause_fights(&mut self, visit: Visit, changed: bool, now: Duration, out: &mut Vec<WatchEffect>) {
        let node = visit.node;
        if !visit.is_woken() || !matches!(self.wakes.get(&node), Some(Wake::Reported(_))) {
            return;
        }
        if let Some(pause) = self.backoff.strained(node, changed, now) {
            out.push(WatchEffect::Pausing { node, pause });
        }
    }

    /// A visit and all that it brought about is over: visits that waited for it go on, and nodes are woken that it concerns.
    /// Whether it changed something.
    pub(crate) fn settled(
        &mut self,
        visit: Visit,
        resource: (ResourceIndex, &ResourceId),
        news: Settled,
        now: Duration,
        out: &mut Vec<WatchEffect>,
    ) -> bool {
        let node = visit.node;
        let Ended { health, changed } =
            self.ended.remove(&node).unwrap_or(Ended { health: Health::Idle, changed: false });
        self.health.set(node, health);
        self.restless.remove(&node);
        self.wakes.remove(&node);
        self.called.remove(&node);
        self.unpark(node, out);
        let (number, id) = resource;
        let readers =
            if news.values_changed { self.shape.index.readers(number).to_vec() } else { Vec::new() };
        let subscribers = if changed { self.shape.index.subscribers(number).to_vec() } else { Vec::new() };
        let seen = subscribers.iter().copied().filter(|node| self.health.of(*node) != Health::Unseen);
        self.called.extend(seen);
        let again = self.again.remove(&node).or(news.reported.map(Wake::Reported));
        self.wake_each(&readers, &Wake::Received(id.clone()), now, out);
        self.wake_each(&subscribers, &Wake::Subscribed(id.clone()), now, out);
        if health == Health::Idle {
            self.wake_blocked(node, &Wake::Freed(id.clone()), now, out);
        }
        if let Some(why) = again {
            self.wake(node, why, now, out);
        }
        changed
    }

    /// Wakes the blocked dependents of a node that has recovered.
    fn wake_blocked(&mut self, node: NodeIndex, why: &Wake, now: Duration, out: &mut Vec<WatchEffect>) {
        if !self.health.has_trouble() {
            return;
        }
        let graph = self.shape.graph;
        let mut blocked = Vec::new();
        let mut gates = FxHashSet::default();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            for edge in graph.after(node) {
                if graph.is_gate(edge.after) {
                    open.extend(gates.insert(edge.after).then_some(edge.after));
                } else if self.health.of(edge.after) == Health::Blocked {
                    blocked.push(edge.after);
                }
            }
        }
        self.wake_each(&blocked, why, now, out);
    }

    fn unpark(&mut self, node: NodeIndex, out: &mut Vec<WatchEffect>) {
        let parked = self.parked.remove(&node).unwrap_or_default();
        out.extend(parked.into_iter().map(WatchEffect::Due));
    }

    // Questions.

    fn failed_dependency(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.health.failed_dependency(&self.shape.predecessors, node)
    }

    /// The root cause that keeps a node from being visited.
    pub(crate) fn root_cause(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.health.root_cause(&self.shape.predecessors, node)
    }

    /// Whether a node was as declared, and is visited only because it is time.
    fn is_only_checked(&self, visit: Visit) -> bool {
        let timely = matches!(self.wakes.get(&visit.node), Some(Wake::Polled | Wake::Rechecked));
        visit.is_woken() && timely && !self.backoff.is_failing(visit.node)
    }

    /// Why a node was woken.
    pub(crate) fn why(&self, node: NodeIndex) -> Wake {
        self.wakes.get(&node).cloned().unwrap_or(Wake::Polled)
    }

    pub(crate) fn is_watching(&self) -> bool {
        self.is_watching
    }

    /// Every node was visited once.
    pub(crate) fn begin_watching(&mut self, now: Duration) {
        self.is_watching = true;
        self.changed_at = now;
    }

    pub(crate) fn has_trouble(&self) -> bool {
        self.health.has_trouble()
    }

    /// How many resources are watched.
    pub(crate) fn watched(&self) -> usize {
        self.shape.index.watched().count()
    }

    /// When the watch has to do something by itself.
    pub(crate) fn due(&mut self) -> Option<Duration> {
        let converged = self.request.until_converged.filter(|_| self.is_idle());
        let converged = converged.map(|span| self.changed_at.saturating_add(span));
        let runtime = self.request.max_runtime.map(|span| self.began.saturating_add(span));
        self.timers.first().into_iter().chain(converged).chain(runtime).chain(self.recheck_at).min()
    }

    fn is_idle(&self) -> bool {
        self.restless.is_empty() && self.is_watching
    }

    /// Whether the watch ends by its own terms, or because another program is there and what was under way is over.
    pub(crate) fn is_ending(&mut self, has_next: bool, now: Duration) -> bool {
        let passed = |since: Duration, span: Option<Duration>| {
            span.is_some_and(|span| since.saturating_add(span) <= now)
        };
        let is_over = (self.is_idle() && passed(self.changed_at, self.request.until_converged))
            || passed(self.began, self.request.max_runtime);
        if is_over || !has_next {
            return is_over;
        }
        let visiting = &self.visiting;
        self.stragglers.get_or_insert_with(|| visiting.clone()).is_empty()
    }

    /// What the next program has to know.
    pub(crate) fn hand_over(self) -> LastHealth {
        let timers = |wanted| move |(node, timer): (NodeIndex, Timer)| (timer == wanted).then_some(node);
        let limited = self.timers.keys().filter_map(timers(Timer::Limit)).collect();
        let retried = self.timers.keys().filter_map(timers(Timer::Retry)).collect();
        LastHealth { health: self.health.into_all(), blind: self.blind, limited, retried }
    }
}

/// What a watch has to know of a node that settles.
pub(crate) struct Settled {
    /// Whether the values that others read have changed.
    pub(crate) values_changed: bool,
    /// What was reported during the visit.
    pub(crate) reported: Option<Interest>,
}

/// How the nodes of a program are when its watch ends.
pub(crate) struct LastHealth {
    pub(crate) health: Vec<Health>,
    pub(crate) blind: FxHashSet<NodeIndex>,
    /// Woken nodes whose visit waits, because there were too many.
    pub(crate) limited: FxHashSet<NodeIndex>,
    /// Failed nodes that back off.
    pub(crate) retried: FxHashSet<NodeIndex>,
}
