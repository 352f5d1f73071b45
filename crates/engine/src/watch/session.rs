//! A watch of one program after the other, and its lifecycle: joins the state of the watch with the reports of the machine.

use std::sync::{Arc, Weak};
use std::time::Duration;

use rustc_hash::FxHashSet;
use uphold_model::Value;
use uphold_resource::{Level, Result, Watcher};

use super::effect::{Admission, WatchEffect, WatchReport};
use super::handover::DeferredValues;
use super::handover::{Handover, Inherited};
use super::health::{Ending, Health, LastHealth, Settled};
use super::reports::Reports;
use super::shape::{WakeIndex, WatchShape};
use super::state::WatchState;
use crate::dispatcher::{Dispatcher, EventLog, Sink};
use crate::engine::Engine;
use crate::event::{Event, EventKind, Mode, Wake};
use crate::executor;
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::lifecycle::{Counts, Idle, Lifecycle, Round};
use crate::notifications::NotificationRun;
use crate::program::Program;
use crate::program::outputs::OutputValue;
use crate::program::scope::Published;
use crate::request::{Control, Request, WatchRequest};
use crate::schedule::{Downstream, Pick, Visit};
use crate::summary::Summary;
use crate::visit::{Visits, Watch};

/// The parts that all programs of one watch share.
pub(crate) struct Session<'a> {
    engine: &'a Engine,
    request: &'a WatchRequest,
    control: &'a Control,
    watcher: Arc<dyn Watcher>,
    began: Duration,
    total: Summary,
}

impl<'a> Session<'a> {
    pub(crate) fn new(engine: &'a Engine, request: &'a WatchRequest, control: &'a Control) -> Result<Self> {
        let watcher = engine.machine().watchers.watcher()?;
        control.attach(Some(watcher.clone()));
        let weak: Weak<dyn Watcher> = Arc::downgrade(&watcher);
        engine.stop.wake(move || {
            if let Some(watcher) = weak.upgrade() {
                watcher.nudge();
            }
        });
        let began = engine.machine().clock.elapsed();
        Ok(Self { engine, request, control, watcher, began, total: Summary::default() })
    }

    /// Watches a program, and those that follow it, until the watch is over.
    pub(crate) fn run(mut self, mut program: Arc<Program>, sink: Sink<'_>) -> Summary {
        let mut index = WakeIndex::of(&program);
        let mut inherited = Inherited::nothing(&program, &index);
        loop {
            let (handover, end) = self.watch(&program, index, inherited, sink);
            let next = self.control.take_next().filter(|_| !self.engine.stop.is_requested());
            let Some((generation, next)) = next else {
                self.control.attach(None);
                return Summary { failed: end.failed, skipped: end.skipped, ..self.total };
            };
            program = next;
            index = WakeIndex::of(&program);
            inherited = self.inherit(handover, generation, &program, &index, sink);
        }
    }

    fn inherit(
        &self,
        handover: Handover,
        generation: u64,
        program: &Program,
        index: &WakeIndex,
        sink: Sink<'_>,
    ) -> Inherited {
        let inherited = handover.translate(program, index);
        for token in &inherited.unwatched {
            _ = self.watcher.arm(*token, &[]);
        }
        let written = program.list.len();
        let kept = inherited.kept.iter().take(written).filter(|kept| **kept).count();
        let at = self.engine.machine().clock.elapsed().saturating_sub(self.began);
        let kind = EventKind::Swapped { generation, kept, visited: written - kept, left: inherited.left };
        sink(&Event { at, kind });
        inherited
    }

    /// Watches one program: what it hands over to the next one, and its summary at the end.
    fn watch(
        &mut self,
        program: &Arc<Program>,
        index: WakeIndex,
        inherited: Inherited,
        sink: Sink<'_>,
    ) -> (Handover, Summary) {
        let engine = self.engine;
        let host = engine.machine().act();
        if !self.request.audit {
            executor::leftovers::remove(program, &host, &engine.stop, engine.jobs);
        }
        let Inherited { kept, tokens, armed, marks, blind, secrets, published, undelivered, .. } = inherited;
        let reports = Reports::new(self.watcher.clone(), tokens, &armed, marks);
        let deferred = DeferredValues::of(inherited.deferred);
        let pauses = self.request.pauses.as_deref();
        let (audit, window_zone) = (self.request.audit, self.request.window_zone.as_ref());
        let request = Request { audit, pauses, window_zone, ..Request::from(Mode::Apply) };
        let visits = Visits {
            watch: Some(Watch { reports: &reports, deferred: &deferred }),
            published: Published::of(published),
            journal: engine.journal.as_deref().filter(|_| !self.request.audit),
            last_applied: engine.journal.as_deref(),
            ..Visits::new(program, host, request, &engine.stop)
        };
        let now = host.clock().elapsed();
        let shape = WatchShape::of(program, index);
        let state = WatchState::new(shape, self.request, &kept, blind, self.began, now);
        let machine = (&reports, &deferred);
        let mode = WatchMode::new(state, &visits, machine, self.control, kept, secrets, now);
        let log = EventLog::new(program, sink, host.clock(), self.began);
        let mut dispatcher = Dispatcher::new(&visits, engine.seed, mode, log);
        for run in undelivered {
            dispatcher.notifications.inherit(run);
        }
        let dispatcher = executor::watch(&visits, dispatcher, &reports, engine.jobs);
        self.total.add(&dispatcher.log.summary);
        let undelivered = dispatcher.notifications.undelivered();
        let (last, secrets) = dispatcher.lifecycle.into_last();
        let end = end(program, &last, engine.stop.is_requested());
        let (published, deferred) = (visits.published.into_all(), deferred.into_now());
        let (tokens, armed, marks) = reports.into_parts();
        let program = program.clone();
        (Handover { program, last, tokens, armed, marks, secrets, published, deferred, undelivered }, end)
    }
}

/// The summary at the end: failed nodes, and written actions that are not done because they are blocked, or were still to be
/// visited. A stop skips nothing: visits that it prevents are not due any more.
fn end(program: &Program, last: &LastHealth, is_stopped: bool) -> Summary {
    let written = (0..).zip(&last.health).take(program.list.len());
    let is_skipped = |(node, health): &(NodeIndex, &Health)| match health {
        Health::Failed => false,
        Health::Blocked => true,
        Health::Idle => !is_stopped && last.limited.contains(node),
        Health::Unseen | Health::Queued | Health::Busy => !is_stopped,
    };
    let skipped = written.filter(is_skipped).count();
    // A verification that failed is among the notifications.
    let written = last.health.iter().take(program.list.len());
    let failed = written.filter(|health| **health == Health::Failed).count();
    Summary { failed: failed + last.failed_notifications, skipped, ..Summary::default() }
}

/// A watch of one program.
pub(crate) struct WatchMode<'a> {
    state: WatchState<'a>,
    program: &'a Program,
    reports: &'a Reports,
    published: &'a Published,
    deferred: &'a DeferredValues,
    control: &'a Control,
    /// Which nodes go on as in the previous program.
    kept: Vec<bool>,
    /// Nodes with a secret at their path.
    secrets: FxHashSet<NodeIndex>,
    /// The outputs as they were reported last; none before the first time.
    outputs: Option<Vec<Option<Value>>>,
    /// Whether an output may have changed since.
    are_outputs_due: bool,
}

impl<'a> WatchMode<'a> {
    pub(crate) fn new(
        state: WatchState<'a>,
        visits: &'a Visits<'a>,
        (reports, deferred): (&'a Reports, &'a DeferredValues),
        control: &'a Control,
        kept: Vec<bool>,
        secrets: FxHashSet<NodeIndex>,
        now: Duration,
    ) -> Self {
        let mut mode = Self {
            state,
            program: visits.program,
            reports,
            published: &visits.published,
            deferred,
            control,
            kept,
            secrets,
            outputs: None,
            are_outputs_due: false,
        };
        for node in (0..).zip(&mode.kept).filter(|(_, kept)| **kept).map(|(node, _)| node) {
            mode.state.revisits.poll(node, reports.interval(node), now);
        }
        mode
    }

    /// The watch of the program is over.
    pub(crate) fn into_last(self) -> (LastHealth, FxHashSet<NodeIndex>) {
        (self.state.hand_over(), self.secrets)
    }

    /// Whether everything was visited once.
    pub(crate) fn is_watching(&self) -> bool {
        self.state.is_watching()
    }

    fn is_ending(&mut self, now: Duration) -> bool {
        self.state.is_ending(self.control.has_next(), now)
    }

    fn take_reports(&mut self, now: Duration) {
        let Some(mut marks) = self.reports.fresh() else { return };
        let marked: Vec<_> =
            marks.marked.extract_if(|node, _| self.state.is_woken_by_reports(*node)).collect();
        let (sighted, blind) = (std::mem::take(&mut marks.sighted), std::mem::take(&mut marks.blind));
        let lost = std::mem::take(&mut marks.lost);
        drop(marks);
        for node in sighted {
            if self.state.revisits.sighted(node) {
                self.state.poll(node, self.reports.interval(node), now);
                self.state.effects.push(WatchEffect::Report(WatchReport::Sighted(node)));
            }
        }
        for (node, because) in blind {
            if let Some(every) = self.state.revisits.blind(node, now) {
                self.state.effects.push(WatchEffect::Report(WatchReport::Blind { node, because, every }));
            }
        }
        if lost {
            self.state.effects.push(WatchEffect::Report(WatchReport::ReportsLost));
            self.state.wake_all(&Wake::ReportsLost, now);
        }
        for (node, what) in marked {
            self.state.wake(node, Wake::Reported(what), now);
        }
    }
}

impl Lifecycle for WatchMode<'_> {
    fn passes(&self, node: NodeIndex) -> Option<Downstream> {
        let secret = self.secrets.contains(&node);
        self.kept[node as usize].then_some(Downstream { secret, ..Downstream::default() })
    }

    fn take_effects(&mut self) -> Vec<WatchEffect> {
        for node in self.state.invalidated.drain(..) {
            self.deferred.invalidate(node);
        }
        self.state.take_effects()
    }

    fn collect(&mut self, now: Duration) {
        self.take_reports(now);
        if self.control.take_pauses_changed() {
            self.state.revisits.pauses_changed(now);
        }
        self.state.advance(self.control.take_recheck(), now);
    }

    fn pick(&mut self, now: Duration) -> Pick {
        if self.is_ending(now) { Pick::Awaited } else { Pick::Any }
    }

    fn admit(&mut self, visit: Visit, run: Option<&NotificationRun>, stopped: bool) -> Admission {
        self.state.admit(visit, run, stopped)
    }

    /// A node that failed in this run may have recovered since.
    fn root(&self, node: NodeIndex, _walked: Option<NodeIndex>) -> Option<NodeIndex> {
        self.state.root_cause(node)
    }

    fn began(&mut self, visit: Visit) {
        self.state.began(visit);
    }

    fn left(&mut self, node: NodeIndex) {
        self.state.left(node);
    }

    fn waits(&mut self, visit: Visit) {
        let reported = !visit.is_notified() && self.reports.take(visit.node).is_some();
        self.state.waits(visit, reported);
    }

    fn excuse(&mut self, visit: Visit, failure: &Failure, now: Duration) -> bool {
        if visit.is_notified() {
            return false;
        }
        self.reports.disarm(visit.node);
        self.collect(now);
        let is_excused = self.state.excuse(visit, failure.is_still_different(), now);
        if !is_excused && !self.program.ignores_failure(visit.node) {
            self.state.failing.insert(visit.node);
        }
        is_excused
    }

    fn repeats_failed(&self) -> bool {
        true
    }

    fn ended(&mut self, visit: Visit, ending: Ending, secret: bool, now: Duration) {
        if secret {
            self.secrets.insert(visit.node);
        }
        self.state.ended(visit, ending, self.reports.interval(visit.node), now);
        if self.program.notifications.verified_by(visit.node).is_some() {
            let graph = &self.program.graph;
            for node in self.state.health.verified(graph, visit.node, ending == Ending::Failed) {
                self.state.wake(node, Wake::Freed(self.program.id(visit.node).clone()), now);
            }
        }
    }

    fn retry(&mut self, node: NodeIndex, now: Duration) {
        self.state.wake(node, Wake::Retried, now);
    }

    fn settled(&mut self, visit: Visit, now: Duration) -> bool {
        let resource = self.program.list.get(visit.node as usize).resource;
        let values_changed = self.published.take_changed(resource);
        self.are_outputs_due |= values_changed && !self.program.outputs.is_empty();
        let facts = Settled { values_changed, reported: self.reports.take(visit.node) };
        let id = self.program.set.id(resource);
        let changed = self.state.settled(visit, (resource, id), facts, now);
        changed && self.state.is_watching()
    }

    fn why(&self, node: NodeIndex) -> Wake {
        self.state.why(node)
    }

    /// A visit that only makes sure that nothing has changed has nothing new to report.
    fn is_reported(&self, visit: Visit, unchanged: bool, level: Level) -> bool {
        let is_check = || matches!(self.why(visit.node), Wake::Polled | Wake::Rechecked | Wake::ReportsLost);
        !(visit.is_woken() && unchanged) || level == Level::Warning || !is_check()
    }

    fn has_failed(&self, in_run: bool) -> bool {
        if self.state.is_watching() { self.state.has_trouble() } else { in_run }
    }

    fn due(&mut self) -> Option<Duration> {
        self.state.due()
    }

    fn idle(&mut self, counts: Counts, stopped: bool, now: Duration) -> Idle {
        // Notifications that were not delivered go to the next program.
        if !counts.is_active && (stopped || self.is_ending(now)) {
            return Idle::Done;
        }
        if counts.is_active || !counts.is_delivered {
            return Idle::Wait;
        }
        if self.state.is_watching() {
            return if std::mem::take(&mut self.are_outputs_due) { Idle::Round } else { Idle::Wait };
        }
        if !counts.is_finished || counts.next_due.is_some() {
            return Idle::Wait;
        }
        self.state.begin_watching(now);
        Idle::Round
    }

    fn end_round(&mut self, outputs: Vec<OutputValue>) -> Round {
        let values = outputs.iter().map(|output| output.value.as_ref().ok().cloned()).collect();
        match self.outputs.replace(values) {
            None => Round::First { outputs, watched: self.state.watched() },
            Some(previous) => {
                let pairs = outputs.into_iter().zip(previous);
                let changed =
                    pairs.filter(|(output, previous)| output.value.as_ref().ok() != previous.as_ref());
                Round::Again { changed: changed.map(|(output, _)| output).collect() }
            }
        }
    }
}
