//! The state of a watch: the health of each node, and the visits that are due because something may have changed.
//!
//! A pure value: no thread, no clock, no IO. Its decisions are [`WatchEffect`]s, in order, for the dispatcher to carry out.

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Moment, ResourceId};

use super::effect::{Admission, WatchEffect, WatchReport};
use super::health::{Ended, Ending, Health, HealthMap, LastHealth, Settled, Unsettled};
use super::revisits::{Revisits, SHORTEST_WAIT, Timer};
use super::shape::WatchShape;
use super::terms::Terms;
use crate::event::Wake;
use crate::graph::NodeIndex;
use crate::notifications::NotificationRun;
use crate::program::set::ResourceIndex;
use crate::request::WatchRequest;
use crate::schedule::Visit;

/// The state of a watch.
///
/// # Guarantees
/// No report during a visit is lost. A woken node waits for dependencies that are woken, too. A node is blocked only while
/// one of its dependencies has failed.
pub(crate) struct WatchState<'p> {
    shape: WatchShape<'p>,
    pub(super) health: HealthMap,
    unsettled: Unsettled,
    ended: FxHashMap<NodeIndex, Ended>,
    /// Why a node is queued or busy.
    wakes: FxHashMap<NodeIndex, Wake>,
    /// Nodes that are queued or busy, and have failed before: their last visit, or an attempt of this one.
    pub(super) failing: FxHashSet<NodeIndex>,
    /// Nodes that were woken while busy: they are visited once more.
    again: FxHashMap<NodeIndex, Wake>,
    /// Nodes that are visited even if they are not watched: members of groups that something they subscribe to has changed
    /// for, and nodes whose pause has ended.
    called: FxHashSet<NodeIndex>,
    pub(super) revisits: Revisits<'p>,
    /// Nodes that wait until their resource is ready.
    waiting: FxHashSet<NodeIndex>,
    /// Whether every node was visited once.
    is_watching: bool,
    terms: Terms<'p>,
    /// Nodes that may have changed: they are loaded, even if they are declared as in the previous program.
    pub(super) invalidated: Vec<NodeIndex>,
    pub(super) effects: Vec<WatchEffect>,
}

impl<'p> WatchState<'p> {
    /// `kept`: nodes that go on as in the previous program; the others were not visited yet.
    pub(crate) fn new(
        mut shape: WatchShape<'p>,
        request: &'p WatchRequest,
        kept: &[bool],
        blind: FxHashSet<NodeIndex>,
        began: Duration,
        now: Duration,
    ) -> Self {
        let (polls, limits) = (std::mem::take(&mut shape.polls), std::mem::take(&mut shape.limits));
        let revisits = Revisits::new(polls, limits, blind, request.blind);
        Self {
            shape,
            health: HealthMap::new(kept),
            unsettled: Unsettled::default(),
            ended: FxHashMap::default(),
            wakes: FxHashMap::default(),
            failing: FxHashSet::default(),
            again: FxHashMap::default(),
            called: FxHashSet::default(),
            revisits,
            waiting: FxHashSet::default(),
            is_watching: false,
            terms: Terms::new(request, began, now),
            invalidated: Vec::new(),
            effects: Vec::new(),
        }
    }

    /// The decisions since the last call, in order.
    pub(crate) fn take_effects(&mut self) -> Vec<WatchEffect> {
        std::mem::take(&mut self.effects)
    }

    /// A node may have changed: its visit is due, unless it is already.
    pub(crate) fn wake(&mut self, node: NodeIndex, why: Wake, now: Duration) {
        self.invalidated.push(node);
        let health = self.health.of(node);
        match health {
            Health::Busy if self.waiting.contains(&node) => {
                return self.effects.push(WatchEffect::Hasten(node));
            }
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
        let is_delayed = self.revisits.delays(node, why == Wake::Retried, now);
        self.wakes.entry(node).or_insert(why);
        if is_delayed {
            return;
        }
        if health == Health::Failed {
            self.failing.insert(node);
        }
        self.health.set(node, Health::Queued);
        self.unsettled.insert(node);
        self.effects.push(WatchEffect::Due(Visit::woken(node)));
    }

    fn wake_each(&mut self, nodes: &[NodeIndex], why: &Wake, now: Duration) {
        for node in nodes {
            self.wake(*node, why.clone(), now);
        }
    }

    /// Every watched node may have changed.
    pub(crate) fn wake_all(&mut self, why: &Wake, now: Duration) {
        let all: Vec<NodeIndex> = self.shape.index.watched().collect();
        self.wake_each(&all, why, now);
    }

    /// Whether a report wakes a node now. A visit that is under way may see the change by itself.
    pub(crate) fn is_woken_by_reports(&self, node: NodeIndex) -> bool {
        self.health.of(node) != Health::Busy || self.waiting.contains(&node)
    }

    /// Time has come this far; `recheck`: a check of everything was requested.
    pub(crate) fn advance(&mut self, recheck: bool, now: Duration) {
        while let Some((node, timer)) = self.revisits.timers.pop(now) {
            match timer {
                Timer::Poll => self.wake(node, Wake::Polled, now),
                Timer::Retry => self.wake(node, Wake::Retried, now),
                Timer::Limit => {
                    let why = self.wakes.remove(&node).unwrap_or(Wake::Polled);
                    self.wake(node, why, now);
                }
                Timer::Notification | Timer::PausedNotification => {
                    self.effects.push(WatchEffect::NotifyAgain(node));
                }
                Timer::Pause | Timer::Window => {
                    // A node that is not watched was to be visited, too.
                    self.called.insert(node);
                    self.wake(node, timer.resumed(), now);
                }
            }
        }
        if self.terms.takes_recheck(recheck, now) {
            self.wake_all(&Wake::Rechecked, now);
        }
    }

    /// Sets the time of the next poll of a node. `interval`: how often its kind wants it polled.
    pub(crate) fn poll(&mut self, node: NodeIndex, interval: Option<Duration>, now: Duration) {
        if self.shape.index.is_watched(node) {
            self.revisits.poll(node, interval, now);
        }
    }

    /// Whether a ready visit may begin.
    pub(crate) fn admit(&mut self, visit: Visit, run: Option<&NotificationRun>, stopped: bool) -> Admission {
        let is_new = visit.is_woken() && visit.is_first();
        if is_new && stopped {
            self.drop_visit(visit);
            return Admission::Aside;
        }
        if let Some(awaited) = self.awaited_by(visit, run) {
            self.unsettled.park(awaited, visit);
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
    fn drop_visit(&mut self, visit: Visit) {
        if self.failing.contains(&visit.node) {
            self.health.set(visit.node, Health::Failed);
        }
        self.effects.extend(self.unsettled.remove(visit.node));
    }

    /// The node that a visit has to wait for. A visit that another one waits for does not wait itself.
    fn awaited_by(&self, visit: Visit, run: Option<&NotificationRun>) -> Option<NodeIndex> {
        let moment = run.map(|run| run.moment);
        let urgent = matches!(moment, Some(Moment::Before | Moment::Immediately));
        if urgent || !visit.is_first() || (visit.is_notified() && !self.is_watching) {
            return None;
        }
        // No run ends here, at which success would be decided: `on_success` waits until nothing is failed.
        let waits = moment == Some(Moment::OnSuccess);
        self.unsettled.before(visit, &self.shape).or_else(|| self.health.first_trouble().filter(|_| waits))
    }

    pub(crate) fn began(&mut self, visit: Visit) {
        self.terms.began(visit.node);
        self.waiting.remove(&visit.node);
        if !visit.is_notified() {
            self.health.set(visit.node, Health::Busy);
        }
    }

    /// A visit no longer executes; perhaps it goes on later.
    pub(crate) fn left(&mut self, node: NodeIndex) {
        self.terms.left(node);
    }

    /// A visit waits until its resource is ready. `reported`: something was reported meanwhile.
    pub(crate) fn waits(&mut self, visit: Visit, reported: bool) {
        if visit.is_notified() {
            return;
        }
        self.waiting.insert(visit.node);
        if reported {
            self.effects.push(WatchEffect::Hasten(visit.node));
        }
    }

    /// Whether a failure does not count, because the visit is repeated: a dependency has drifted, too (removing a
    /// directory removes its entries first), or the resource was changed while it was repaired.
    pub(crate) fn excuse(&mut self, visit: Visit, still_differs: bool, now: Duration) -> bool {
        let visit = visit.restarted();
        if let Some(awaited) = self.unsettled.before(visit, &self.shape) {
            let health = if visit.is_woken() { Health::Queued } else { Health::Unseen };
            self.health.set(visit.node, health);
            self.unsettled.park(awaited, visit);
            return true;
        }
        if visit.is_woken() && still_differs && self.revisits.may_repair_again(visit.node) {
            self.health.set(visit.node, Health::Queued);
            // Another program may be in the middle of writing: a file that is half written is not ours to replace.
            self.effects.push(WatchEffect::DueAt(visit, now.saturating_add(SHORTEST_WAIT)));
            return true;
        }
        false
    }

    /// A visit is over, as far as the node itself is concerned. `interval`: how often its kind wants it polled.
    pub(crate) fn ended(&mut self, visit: Visit, ending: Ending, interval: Option<Duration>, now: Duration) {
        let node = visit.node;
        let changed = ending == Ending::Changed;
        if changed {
            self.terms.changed_at = now;
        }
        if visit.is_notified() {
            self.revisits.pause(node, Timer::PausedNotification, ending.pause(), now);
            if ending.is_failure() {
                self.effects.push(WatchEffect::KeepFailed(visit));
                self.back_off(node, Timer::Notification, now);
            } else if ending.pause().is_some() {
                self.effects.push(WatchEffect::KeepPaused(visit));
            } else {
                self.revisits.succeeded(node);
            }
            return;
        }
        let health = match ending {
            Ending::Blocked if self.failed_dependency(node).is_some() => Health::Blocked,
            // A failure that is known already does not end with the watch.
            Ending::Stopped if self.failing.contains(&node) => Health::Failed,
            Ending::Stopped => Health::Unseen,
            Ending::Failed | Ending::Blocked | Ending::Skipped => Health::Failed,
            _ => Health::Idle,
        };
        self.ended.insert(node, Ended { health, changed });
        self.revisits.hold(node, ending, now);
        if ending.is_failure() || (health == Health::Failed && ending != Ending::Stopped) {
            self.back_off(node, Timer::Retry, now);
        } else if health == Health::Idle {
            self.revisits.succeeded(node);
        }
        self.wait_if_overloaded(visit, changed, now);
        self.poll(node, interval, now);
    }

    fn back_off(&mut self, node: NodeIndex, timer: Timer, now: Duration) {
        let (failures, after) = self.revisits.back_off(node, timer, now);
        self.effects.push(WatchEffect::Report(WatchReport::BackingOff { node, failures, after }));
    }

    /// A node that is reported all the time is changed by another program all the time, or by its own visits: it is not
    /// visited for a while.
    fn wait_if_overloaded(&mut self, visit: Visit, changed: bool, now: Duration) {
        let node = visit.node;
        if !visit.is_woken() || !matches!(self.wakes.get(&node), Some(Wake::Reported(_))) {
            return;
        }
        if let Some(wait) = self.revisits.count_visit(node, changed, now) {
            self.effects.push(WatchEffect::Report(WatchReport::Overloaded { node, wait }));
        }
    }

    /// A visit and all its consequences are over: visits that waited for it go on, and nodes that it concerns are woken.
    /// Whether it changed something.
    pub(crate) fn settled(
        &mut self,
        visit: Visit,
        resource: (ResourceIndex, &ResourceId),
        facts: Settled,
        now: Duration,
    ) -> bool {
        let node = visit.node;
        let Ended { health, changed } =
            self.ended.remove(&node).unwrap_or(Ended { health: Health::Idle, changed: false });
        self.health.set(node, health);
        self.wakes.remove(&node);
        self.failing.remove(&node);
        self.called.remove(&node);
        self.effects.extend(self.unsettled.remove(node));
        let (number, id) = resource;
        let readers =
            if facts.values_changed { self.shape.index.readers(number).to_vec() } else { Vec::new() };
        let subscribers = if changed { self.shape.index.subscribers(number).to_vec() } else { Vec::new() };
        let seen = subscribers.iter().copied().filter(|node| self.health.of(*node) != Health::Unseen);
        self.called.extend(seen);
        let again = self.again.remove(&node).or(facts.reported.map(Wake::Reported));
        self.wake_each(&readers, &Wake::Received(id.clone()), now);
        self.wake_each(&subscribers, &Wake::Subscribed(id.clone()), now);
        if health == Health::Idle {
            let blocked = self.health.blocked_dependents(self.shape.graph, node);
            self.wake_each(&blocked, &Wake::Freed(id.clone()), now);
        }
        if let Some(why) = again {
            self.wake(node, why, now);
        }
        changed
    }

    fn failed_dependency(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.health.failed_dependency(&self.shape.predecessors, node)
    }

    /// The root cause that keeps a node from being visited.
    pub(crate) fn root_cause(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.health.root_cause(&self.shape.predecessors, node)
    }

    pub(crate) fn why(&self, node: NodeIndex) -> Wake {
        self.wakes.get(&node).cloned().unwrap_or(Wake::Polled)
    }

    pub(crate) fn is_watching(&self) -> bool {
        self.is_watching
    }

    /// Every node was visited once.
    pub(crate) fn begin_watching(&mut self, now: Duration) {
        self.is_watching = true;
        self.terms.changed_at = now;
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
        let is_idle = self.is_idle();
        self.revisits.timers.first().into_iter().chain(self.terms.due(is_idle)).min()
    }

    fn is_idle(&self) -> bool {
        self.unsettled.is_empty() && self.is_watching
    }

    /// Whether the watch ends by its own terms, or because another program was given and the visits under way are over.
    pub(crate) fn is_ending(&mut self, has_next: bool, now: Duration) -> bool {
        let is_idle = self.is_idle();
        self.terms.is_ending(is_idle, has_next, now)
    }

    /// The health of all nodes, for the next program.
    pub(crate) fn hand_over(self) -> LastHealth {
        let waiting = |timer| self.revisits.waiting(timer);
        let (limited, retried) = (waiting(Timer::Limit), waiting(Timer::Retry));
        let paused = &waiting(Timer::Pause) | &waiting(Timer::Window);
        let failed_notifications = waiting(Timer::Notification).len();
        let (health, blind) = (self.health.all, self.revisits.blind);
        LastHealth { health, blind, limited, retried, paused, failed_notifications }
    }
}
