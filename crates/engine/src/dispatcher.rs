//! The dispatcher joins schedule, notifications and lifecycle: it carries out what they decide.

mod event_log;
mod finish;
mod inputs;
mod next;
mod pending;

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_resource::Stop;

use crate::event::{Cause, EventKind, Notifiers, Skip, Verdict};
use crate::graph::NodeIndex;
use crate::lifecycle::{Lifecycle, Round};
use crate::notifications::{Effect, Notice, Notifications, TicketId};
use crate::program::Program;
use crate::program::list::is_run_node;
use crate::program::outputs::OutputValue;
use crate::request::Request;
use crate::schedule::{Downstream, Freed, Postponed, Retries, Schedule, Visit};
use crate::visit::batch::Part;
use crate::visit::parent_run::NestedRequest;
use crate::visit::{VisitInputs, Visits};
use crate::watch::WatchEffect;

pub(crate) use event_log::EventLog;
pub use event_log::Sink;
use finish::VisitEnd;
pub(crate) use next::{Next, NextFor};
use pending::Pending;

/// Hands out visits (`next`), takes their results (`finish`), and carries out the effects of its parts. Every event of a
/// run passes here, so their order is the order in which it decided. The only part that reads the clock.
pub(crate) struct Dispatcher<'a, L> {
    program: &'a Program,
    request: Request<'a>,
    stop: &'a Stop,
    pub(crate) schedule: Schedule<'a>,
    pub(crate) notifications: Notifications<'a>,
    pub(crate) lifecycle: L,
    retries: Retries,
    /// The changes of prepared visits, to be applied in a batch.
    prepared: FxHashMap<Visit, Part>,
    /// Prepared visits that put their files in place together.
    writers: Vec<(Visit, Part)>,
    /// Whether each node is as declared; empty unless the end of the run needs it.
    pub(crate) settled: Vec<bool>,
    /// The notifications in the journal, if there is one.
    pending: Option<Pending<'a>>,
    /// Nodes that failed while they changed their resource, perhaps after the change.
    interrupted: FxHashSet<NodeIndex>,
    pub(crate) log: EventLog<'a>,
}

impl<'a, L: Lifecycle> Dispatcher<'a, L> {
    pub(crate) fn new(visits: &Visits<'a>, seed: Option<u64>, lifecycle: L, log: EventLog<'a>) -> Self {
        let (program, request) = (visits.program, visits.request);
        let passes = |node: NodeIndex| {
            let kept = lifecycle.passes(node);
            kept.or_else(|| (!request.selects(node)).then(Downstream::default))
        };
        let installers = program.installers.iter().copied().filter(|node| request.selects(*node));
        let unclaimed = program.registry.iter().any(|kind| !kind.is_compiled());
        // A watch repeats every failed visit in any case.
        let is_watch = visits.watch.is_some();
        let postponed = if is_watch { Postponed::default() } else { Postponed::new(installers, unclaimed) };
        let schedule = Schedule::new(program, postponed, passes, seed);
        let first = schedule.walk.first();
        let (table, list, resources) = (&program.notifications, &program.list, program.set.len());
        let mut dispatcher = Self {
            program,
            request,
            stop: visits.stop,
            schedule,
            notifications: Notifications::new(table, list, request.selection, resources),
            lifecycle,
            retries: Retries::default(),
            prepared: FxHashMap::default(),
            writers: Vec::new(),
            settled: if visits.writes.is_some() { vec![false; program.list.len()] } else { Vec::new() },
            pending: visits.journal.map(|journal| Pending::new(journal, request.mode)),
            interrupted: FxHashSet::default(),
            log,
        };
        let actions = dispatcher.schedule.unfinished;
        dispatcher.log.report(EventKind::RunStarted { mode: request.mode, actions });
        dispatcher.inherit_pending();
        dispatcher.set_free(first);
        dispatcher
    }

    /// Carries out the decisions of the notifications, in order.
    fn carry_out(&mut self) {
        for effect in self.notifications.take_effects() {
            match effect {
                Effect::Start(visit) => self.schedule.due_when_free(visit),
                Effect::StartWhenIdle(visit) | Effect::Proceed(visit) => self.schedule.ready.push(visit),
                Effect::GoAhead { by, target, downstream } => {
                    self.schedule.walk.go_ahead(by, target, downstream);
                }
                Effect::Refuse(visit, root) => {
                    let skip = Skip::FailedBefore(self.program.id(root).clone());
                    let end = VisitEnd { root: Some(root), ..VisitEnd::default() };
                    self.conclude(visit, Verdict::Skipped(skip), &end);
                }
                Effect::Settle(visit, downstream) => {
                    if self.has_settled(visit) {
                        self.notifications.member_changed(visit.node);
                        self.carry_out();
                    }
                    if !visit.is_woken() {
                        self.release(visit.node, downstream);
                    }
                }
                Effect::Resume(ticket) => self.schedule.tickets.deliver(ticket),
                Effect::Verified(group, root) => {
                    let root = root.filter(|root| !self.program.ignores_failure(*root));
                    if let Some(verifier) = self.program.notifications.verifier(group) {
                        self.release(verifier, Downstream { root, ..Downstream::default() });
                    }
                }
                Effect::EndGroup(group, root) => {
                    let root = root.filter(|root| !self.program.ignores_failure(*root));
                    if let Some(gate) = self.program.graph.end_of(group) {
                        self.release(gate, Downstream { root, ..Downstream::default() });
                    }
                }
            }
        }
    }

    /// Carries out the decisions of a watch, in order.
    fn carry_out_watch(&mut self) {
        for effect in self.lifecycle.take_effects() {
            match effect {
                WatchEffect::Due(visit) => self.schedule.ready.push(visit),
                WatchEffect::DueAt(visit, at) => self.schedule.later.set(visit, at),
                WatchEffect::Hasten(node) => self.schedule.hasten(node, self.log.now()),
                WatchEffect::KeepFailed(visit) => self.notifications.failed(visit),
                WatchEffect::KeepPaused(visit) => self.notifications.paused(visit),
                WatchEffect::NotifyAgain(target) => {
                    self.apply_again(target);
                    self.notifications.due_again(target);
                    self.carry_out();
                }
                WatchEffect::Report(report) => self.log.watch(report),
            }
        }
    }

    /// In a watch, a failed verification is repeated: the members of its group, which were put back, are applied first.
    fn apply_again(&mut self, verifier: NodeIndex) {
        let Some(group) = self.program.notifications.verified_by(verifier) else { return };
        let list = &self.program.list;
        for (node, entry) in (0..).zip(list.iter()) {
            if list.groups.around(entry.group).any(|around| around == group) {
                self.lifecycle.retry(node, self.log.now());
            }
        }
    }

    /// A visit and all its consequences are over. Whether it changed something that a group has to notify of.
    fn has_settled(&mut self, visit: Visit) -> bool {
        let changed = self.lifecycle.settled(visit, self.log.now());
        self.carry_out_watch();
        changed
    }

    fn release(&mut self, node: NodeIndex, downstream: Downstream) {
        let freed = self.schedule.walk.release(node, downstream);
        self.set_free(freed);
    }

    fn set_free(&mut self, mut freed: Vec<Freed>) {
        while let Some(group) = self.schedule.set_free(&mut freed) {
            self.notifications.members_done(group);
            self.carry_out();
        }
    }

    /// A nested resource of these visits, which are executed together, sent a notification. With a ticket, they are
    /// suspended until it was delivered.
    pub(crate) fn notify(&mut self, senders: &[Visit], request: &NestedRequest) -> Option<TicketId> {
        self.log.read_clock();
        let notice = self.notice(request);
        let ticket = self.notifications.requested(*senders.first()?, notice, request.secret);
        if let Some(ticket) = ticket {
            self.schedule.suspend(ticket, senders);
        }
        self.carry_out();
        ticket
    }

    /// The target of a request as a node that can be scheduled.
    fn notice(&mut self, request: &NestedRequest) -> Notice {
        let target = self.program.target(request.resource, &request.action);
        if is_run_node(target) {
            self.schedule.add_node(target, self.program);
        }
        Notice { target, moment: request.moment }
    }

    /// Everything was visited, for the first time or again: reports the outputs.
    pub(crate) fn end_round(&mut self, outputs: Vec<OutputValue>) {
        match self.lifecycle.end_round(outputs) {
            Round::First { outputs, watched: resources } => {
                self.schedule.ready.shrink();
                self.log.end(outputs.into_iter());
                self.log.report(EventKind::Watching { resources });
            }
            Round::Again { changed } => changed.into_iter().for_each(|output| self.log.output(output)),
        }
    }

    /// The next time at which something has to be done, even if nothing is reported.
    pub(crate) fn due(&mut self) -> Option<Duration> {
        self.schedule.later.first().into_iter().chain(self.lifecycle.due()).min()
    }

    fn inputs(&self, visit: Visit) -> VisitInputs {
        let has_failed = || self.lifecycle.has_failed(self.log.summary.failed > 0);
        let Self { program, schedule, notifications, .. } = self;
        inputs::inputs(visit, self.request.mode, program, schedule, notifications, has_failed)
    }

    fn cause(&self, visit: Visit) -> Cause {
        if let Some(cause) = self.pending.as_ref().and_then(|pending| pending.cause(visit.node)) {
            return cause;
        }
        match self.notifications.of(visit) {
            None if visit.is_woken() => Cause::Woken(self.lifecycle.why(visit.node)),
            None => Cause::Written,
            Some(run) => {
                let id = |node: NodeIndex| self.program.id(node).clone();
                let by = Notifiers::new(id(run.by), run.also.iter().copied().map(id));
                Cause::Notified { by, moment: run.moment }
            }
        }
    }
}
