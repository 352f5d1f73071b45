//! A watch of one program after the other.

use std::sync::{Arc, Weak};
use std::time::Duration;

use uphold_resource::{Result, Watcher};

use super::deferred_values::DeferredValues;
use super::handover::{Handover, Inherited};
use super::health::{Health, LastHealth};
use super::mode::WatchMode;
use super::reports::Reports;
use super::shape::{WakeIndex, WatchShape};
use super::state::WatchState;
use crate::control::{Control, WatchRequest};
use crate::dispatcher::{Dispatcher, EventLog, Sink};
use crate::engine::Engine;
use crate::event::{Event, EventKind, Mode};
use crate::executor;
use crate::graph::NodeIndex;
use crate::program::Program;
use crate::program::scope::Published;
use crate::request::Request;
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
            program.remove_leftovers(&host, &engine.stop);
        }
        let Inherited { kept, tokens, armed, marks, blind, secrets, published, undelivered, .. } = inherited;
        let reports = Reports::new(self.watcher.clone(), tokens, &armed, marks);
        let deferred = DeferredValues::of(inherited.deferred, inherited.completed);
        let request = Request { audit: self.request.audit, ..Request::from(Mode::Apply) };
        let visits = Visits {
            watch: Some(Watch { reports: &reports, deferred: &deferred }),
            published: Published::of(published),
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
        let failures = dispatcher.notifications.failures();
        let (last, secrets) = dispatcher.lifecycle.into_last();
        let end = end(program, &last, failures);
        let (published, deferred) = (visits.published.into_all(), deferred.into_now());
        let (tokens, armed, marks) = reports.into_parts();
        let program = program.clone();
        (Handover { program, last, tokens, armed, marks, secrets, published, deferred, undelivered }, end)
    }
}

/// The summary at the end: failed nodes, and written actions that are not done because they are blocked, or were still to be
/// visited.
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
