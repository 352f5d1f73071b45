//! A watch, through one program after the other.

use std::sync::{Arc, Weak};
use std::time::Duration;

use uphold_resource::{Result, Watcher};

use super::deferred_values::DeferredValues;
use super::handover::{Inheritance, Legacy};
use super::health::{Health, LastHealth};
use super::mode::WatchMode;
use super::reports::Reports;
use super::shape::WatchShape;
use super::state::WatchState;
use super::wake_index::WakeIndex;
use crate::control::{Control, WatchRequest};
use crate::dispatcher::{Dispatcher, EventLog, Sink};
use crate::engine::Engine;
use crate::event::{EventKind, Mode};
use crate::executor;
use crate::graph::NodeIndex;
use crate::leftovers;
use crate::program::Program;
use crate::program::scope::Published;
use crate::request::Request;
use crate::summary::Summary;
use crate::visit::Visits;

/// What all programs of one watch share.
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
        let mut legacy = None;
        let mut generation = 0;
        loop {
            let index = WakeIndex::of(&program);
            let heir = match legacy.take() {
                None => Inheritance::none(&program, &index),
                Some(legacy) => self.inherit(legacy, generation, &program, &index, sink),
            };
            let (left, end) = self.watch(&program, index, heir, sink);
            match self.control.take_next().filter(|_| !self.engine.stop.is_requested()) {
                Some((number, next)) => {
                    legacy = Some(left);
                    generation = number;
                    program = next;
                }
                None => {
                    self.control.attach(None);
                    return Summary { failed: end.failed, skipped: end.skipped, ..self.total };
                }
            }
        }
    }

    fn inherit(
        &self,
        legacy: Legacy,
        generation: u64,
        program: &Program,
        index: &WakeIndex,
        sink: Sink<'_>,
    ) -> Inheritance {
        let heir = legacy.pass_on(program, index);
        heir.unwatched.iter().for_each(|token| _ = self.watcher.arm(*token, &[]));
        let written = program.list.len();
        let kept = heir.kept.iter().take(written).filter(|kept| **kept).count();
        let at = self.engine.machine().clock.elapsed().saturating_sub(self.began);
        let kind = EventKind::Swapped { generation, kept, visited: written - kept, left: heir.left };
        sink(&crate::event::Event { at, kind });
        heir
    }

    /// Watches one program: what it leaves to the next one, and how it is at the end.
    fn watch(
        &mut self,
        program: &Arc<Program>,
        index: WakeIndex,
        heir: Inheritance,
        sink: Sink<'_>,
    ) -> (Legacy, Summary) {
        let engine = self.engine;
        if !self.request.audit {
            leftovers::remove(program, &engine.machine().act(), &engine.stop);
        }
        let Inheritance { kept, tokens, armed, marks, blind, secrets, published, undelivered, .. } = heir;
        let reports = Reports::new(self.watcher.clone(), tokens, &armed, marks);
        let request = Request { audit: self.request.audit, ..Request::from(Mode::Apply) };
        let deferred = DeferredValues::of(heir.deferred, heir.completed);
        let visits = Visits::new(program, engine.machine().act(), request, &engine.stop);
        let visits = visits.watched(&reports, deferred, Published::of(published));
        let clock = &*engine.machine().clock;
        let now = clock.elapsed();
        let shape = WatchShape::of(program, index);
        let state = WatchState::new(shape, self.request, &kept, blind, self.began, now);
        let mode = WatchMode::new(state, &visits, &reports, self.control, kept, secrets, now);
        let log = EventLog::new(sink, clock, self.began);
        let mut dispatcher = Dispatcher::new(&visits, engine.seed, mode, log);
        for run in undelivered {
            dispatcher.notifications.inherit(run);
        }
        let dispatcher = executor::watch(&visits, dispatcher, &reports, engine.jobs);
        self.total.add(&dispatcher.summary);
        let undelivered = dispatcher.notifications.undelivered();
        let failures = dispatcher.notifications.failures();
        let (last, secrets) = dispatcher.lifecycle.into_last();
        let end = end(program, &last, failures);
        let (published, deferred) = visits.part();
        let (tokens, armed, marks) = reports.part();
        let program = program.clone();
        (Legacy { program, last, tokens, armed, marks, secrets, published, deferred, undelivered }, end)
    }
}

/// How it is at the end: failed nodes, and written actions that are not done because they are blocked, or were to be visited.
fn end(program: &Program, last: &LastHealth, failed_notifications: usize) -> Summary {
    let written = (0..).zip(&last.health).take(program.list.len());
    let is_done = |(node, health): &(NodeIndex, &Health)| match health {
        Health::Idle => !last.limited.contains(node),
        health => **health == Health::Failed,
    };
    let skipped = written.filter(|one| !is_done(one)).count();
    let failed = last.health.iter().filter(|health| **health == Health::Failed).count();
    Summary { failed: failed + failed_notifications, skipped, ..Summary::default() }
}
