//! The dispatcher joins schedule, notifications and lifecycle: it carries out what they decide.

mod conclude;
mod event_log;
mod inputs;
mod suspend;
mod trace;
mod watch_effects;

use std::time::Duration;

use rustc_hash::FxHashMap;
use uphold_model::{Action, Handling, ResourceId};
use uphold_resource::Stop;

use crate::event::{Cause, EventKind, Skip, Verdict};
use crate::graph::NodeIndex;
use crate::lifecycle::{Counts, Idle, Lifecycle};
use crate::notifications::{Effect, Notifications};
use crate::program::Program;
use crate::program::list::ActionEntry;
use crate::program::outputs::Told;
use crate::request::Request;
use crate::schedule::{Downstream, Freed, Postponed, Retries, Schedule, Shape, Taken, Visit};
use crate::summary::Summary;
use crate::visit::batch::Part;
use crate::visit::{Outcome, Phase, VisitInputs, Visited, Visits};
use crate::watch::Admission;

use conclude::Passed;
pub(crate) use event_log::EventLog;
pub use event_log::Sink;
pub(crate) use suspend::{NestedRequest, NextFor};

use suspend::Tickets;

/// Hands out visits and takes their results. Every event of a run passes here, so their order is the order in which it
/// decided. The only part that reads the clock.
pub(crate) struct Dispatcher<'a, L> {
    pub(crate) program: &'a Program,
    pub(crate) request: Request<'a>,
    pub(crate) stop: &'a Stop,
    pub(crate) schedule: Schedule<'a>,
    pub(crate) notifications: Notifications<'a>,
    pub(crate) lifecycle: L,
    retries: Retries,
    /// What prepared visits will apply.
    prepared: FxHashMap<Visit, Part>,
    pub(crate) tickets: Tickets,
    /// Whether each node is as declared; empty unless the end of the run asks for it.
    pub(crate) settled: Vec<bool>,
    pub(crate) log: EventLog<'a>,
    pub(crate) summary: Summary,
}

/// What a worker should do.
pub(crate) enum Next {
    Visit(Visit, Phase, VisitInputs),
    /// Apply these in one batch.
    Batch(Vec<(Visit, Part)>),
    /// Nothing is ready: ask again when something was finished or reported, or at this time.
    Wait(Option<Duration>),
    /// Everything was visited: the outputs are due, the watch goes on.
    Round,
    Done,
}

impl<'a, L: Lifecycle> Dispatcher<'a, L> {
    pub(crate) fn new(visits: &Visits<'a>, seed: Option<u64>, lifecycle: L, log: EventLog<'a>) -> Self {
        let (program, request) = (visits.program, visits.request);
        let passes = |node: NodeIndex| {
            let kept = lifecycle.passes(node);
            kept.or_else(|| (!request.selects(node)).then(Downstream::default))
        };
        // A watch repeats every failed visit in any case.
        let bringers = program.bringers.iter().copied().filter(|_| visits.watch.is_none());
        let postponed = Postponed::new(bringers.filter(|node| request.selects(*node)));
        let (schedule, first) = Schedule::new(Shape::of(program, postponed, passes), seed);
        let (table, list, resources) = (&program.notifications, &program.list, program.set.numbers());
        let notifications = Notifications::new(table, list, request.selection, resources);
        let mut dispatcher = Self {
            program,
            request,
            stop: visits.stop,
            schedule,
            notifications,
            lifecycle,
            retries: Retries::default(),
            prepared: FxHashMap::default(),
            tickets: Tickets::default(),
            settled: if visits.writes.is_some() { vec![false; program.list.len()] } else { Vec::new() },
            log,
            summary: Summary::default(),
        };
        let actions = dispatcher.schedule.unfinished();
        dispatcher.log.report(EventKind::RunStarted { mode: request.mode, actions });
        dispatcher.set_free(first);
        dispatcher
    }

    /// The next thing to do. Visits that cannot run because of an earlier failure are concluded here.
    pub(crate) fn next(&mut self) -> Next {
        loop {
            self.collect();
            if let Some(visit) = self.next_visit() {
                return self.begin(visit);
            }
            if let Some(visits) = self.schedule.pop_batch() {
                return self.begin_batch(visits);
            }
            let next_due = self.schedule.next_due();
            let is_executing = self.schedule.is_executing() || self.tickets.delivered() > 0;
            if !is_executing && next_due.is_none() && self.go_on() {
                continue;
            }
            return self.idle(next_due);
        }
    }

    /// Takes in the time and reports.
    fn collect(&mut self) {
        let now = self.log.now();
        // Waits end with the run.
        self.schedule.advance(if self.stop.is_requested() { Duration::MAX } else { now });
        let mut out = Vec::new();
        self.lifecycle.collect(now, &mut out);
        self.carry_out_watch(out);
    }

    /// The next visit that can begin, with its permits.
    fn next_visit(&mut self) -> Option<Visit> {
        let pick = self.lifecycle.pick(self.log.now());
        while let Some(visit) = self.schedule.pop(pick) {
            if self.is_taken(visit) {
                return Some(visit);
            }
        }
        None
    }

    /// Whether a ready visit can begin, with its permits. If not, it is parked, or concluded.
    fn is_taken(&mut self, visit: Visit) -> bool {
        if !self.is_admitted(visit) {
            return false;
        }
        if let Some(skip) = self.skip(visit) {
            self.conclude(visit, Verdict::Skipped(skip), Downstream::default(), Duration::ZERO);
            return false;
        }
        let taken = self.schedule.take(visit, &self.lenders(visit));
        if let Taken::Cycle(holder) = taken {
            self.refuse_cycle(visit, holder.node);
        }
        taken == Taken::Yes
    }

    fn is_admitted(&mut self, visit: Visit) -> bool {
        let mut out = Vec::new();
        let run = self.notifications.of(visit);
        let admission = self.lifecycle.admit(visit, run, self.stop.is_requested(), &mut out);
        self.carry_out_watch(out);
        if let Admission::Block(root) = admission {
            let (resource, action) = self.describe(visit.node);
            let verdict = Verdict::Skipped(Skip::FailedBefore(self.id(root).clone()));
            let (cause, took) = (self.cause(visit), Duration::ZERO);
            self.log.report(EventKind::Finished { resource, action, cause, verdict, took });
            self.has_settled(visit);
        }
        admission == Admission::Take
    }

    /// Why a ready visit is skipped.
    fn skip(&self, visit: Visit) -> Option<Skip> {
        if self.stop.is_requested() {
            return Some(Skip::Stopped);
        }
        let root = self.lifecycle.root(visit.node, self.schedule.passed(visit.node).root);
        if let Some(root) = root {
            return Some(Skip::FailedBefore(self.id(root).clone()));
        }
        let limit = self.request.stop_after_failures;
        limit.is_some_and(|limit| self.summary.failed >= limit.get()).then_some(Skip::TooManyFailures)
    }

    fn begin(&mut self, visit: Visit) -> Next {
        self.lifecycle.began(visit);
        if visit.is_first() {
            self.notifications.begun(visit);
            let (resource, action) = self.describe(visit.node);
            let cause = self.cause(visit);
            self.log.report(EventKind::Started { resource, action, cause });
        }
        self.schedule.begin(visit);
        let is_announced = visit.is_announced() || !self.notifications.announces(visit.node);
        let phase = if is_announced { Phase::Whole } else { Phase::Look };
        Next::Visit(visit, phase, self.inputs(visit))
    }

    fn begin_batch(&mut self, visits: Vec<Visit>) -> Next {
        for visit in &visits {
            self.schedule.begin(*visit);
        }
        if visits.len() > 1 {
            let resources = visits.iter().map(|visit| self.id(visit.node).clone()).collect();
            self.log.report(EventKind::Merged { resources });
        }
        let part = |visit: Visit| Some((visit, self.prepared.remove(&visit)?));
        Next::Batch(visits.into_iter().filter_map(part).collect())
    }

    /// Nothing executes, and no time is set: lets a visit go on that waits for another one that waits for it, or delivers
    /// what is delayed to the end of the run. False if there is nothing.
    fn go_on(&mut self) -> bool {
        if self.schedule.unstick() || self.fail_stuck() {
            return true;
        }
        if !self.schedule.is_finished() || !self.notifications.are_over() {
            return false;
        }
        let mut out = Vec::new();
        let found = self.notifications.end_run(&mut out);
        self.carry_out(out);
        found
    }

    fn idle(&mut self, next_due: Option<Duration>) -> Next {
        let is_active = self.schedule.is_executing() || self.schedule.is_suspended();
        let is_delivered = self.notifications.are_over();
        let counts = Counts { is_active, is_finished: self.schedule.is_finished(), is_delivered, next_due };
        match self.lifecycle.idle(counts, self.stop.is_requested(), self.log.now()) {
            Idle::Done => Next::Done,
            Idle::Round => {
                self.notifications.watch();
                Next::Round
            }
            Idle::Wait => {
                if !is_active && is_delivered {
                    self.notifications.forget();
                }
                Next::Wait(self.due())
            }
        }
    }

    /// Takes the result of a visit.
    pub(crate) fn finish(&mut self, visit: Visit, visited: Visited, took: Duration) {
        let Visited { outcome, messages, secret, predicted, unwritten, requests } = visited;
        self.schedule.end(visit);
        self.lifecycle.left(visit.node);
        let mut out = Vec::new();
        self.notifications.left(visit, &mut out);
        self.carry_out(out);
        let is_unchanged = matches!(outcome, Outcome::Done(Verdict::Unchanged));
        for (level, text) in messages {
            if self.lifecycle.is_reported(visit, is_unchanged, level) {
                let resource = self.id(visit.node).clone();
                self.log.report(EventKind::Message { resource, level, text });
            }
        }
        match outcome {
            Outcome::Done(verdict) => {
                let nested = requests.iter().map(|request| self.notice(request)).collect();
                self.finish_with(visit, verdict, Passed { nested, secret, predicted, unwritten }, took);
            }
            Outcome::Intends => {
                self.schedule.leave(visit);
                let mut out = Vec::new();
                self.notifications.intends(visit, secret, &mut out);
                self.carry_out(out);
            }
            Outcome::AfterPackages => {
                self.schedule.leave(visit);
                self.schedule.postpone(visit);
            }
            Outcome::NotYet { reason, after } => self.wait(visit, reason, after, took),
            Outcome::Prepared(prepared) => {
                let part = Part { node: visit.node, prepared, before: self.inputs(visit) };
                self.prepared.insert(visit.again(), part);
                self.schedule.push_batch(visit);
            }
        }
    }

    /// Does what the notifications decided, in order.
    pub(crate) fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Start(visit) => self.schedule.due_when_free(visit),
                Effect::StartWhenIdle(visit) | Effect::Proceed(visit) => self.schedule.due(visit),
                Effect::GoAhead { by, target, downstream } => self.schedule.go_ahead(by, target, downstream),
                Effect::Refuse(visit, root) => {
                    let skip = Skip::FailedBefore(self.id(root).clone());
                    let downstream = Downstream { root: Some(root), ..Downstream::default() };
                    self.conclude(visit, Verdict::Skipped(skip), downstream, Duration::ZERO);
                }
                Effect::Settle(visit, downstream) => self.settle(visit, downstream),
                Effect::Resume(ticket) => self.tickets.deliver(ticket),
                Effect::EndGroup(group) => {
                    if let Some(gate) = self.program.graph.end_of(group) {
                        self.release(gate, Downstream::default());
                    }
                }
            }
        }
    }

    /// A visit and all that it brought about is over: its dependents may go on.
    fn settle(&mut self, visit: Visit, downstream: Downstream) {
        if self.has_settled(visit) {
            let mut out = Vec::new();
            self.notifications.member_changed(visit.node, &mut out);
            self.carry_out(out);
        }
        if !visit.is_woken() {
            self.release(visit.node, downstream);
        }
    }

    fn has_settled(&mut self, visit: Visit) -> bool {
        let mut out = Vec::new();
        let changed = self.lifecycle.settled(visit, self.log.now(), &mut out);
        self.carry_out_watch(out);
        changed
    }

    fn release(&mut self, node: NodeIndex, downstream: Downstream) {
        let freed = self.schedule.release(node, downstream);
        self.set_free(freed);
    }

    fn set_free(&mut self, mut freed: Vec<Freed>) {
        while let Some(group) = self.schedule.set_free(&mut freed) {
            let mut out = Vec::new();
            self.notifications.end_group(group, &mut out);
            self.carry_out(out);
        }
    }

    /// The run is over, with these outputs.
    pub(crate) fn end(&mut self, outputs: impl Iterator<Item = Told>) {
        outputs.for_each(|told| self.report_output(told));
        self.log.report(EventKind::RunFinished(self.summary));
    }

    fn report_output(&mut self, told: Told) {
        let Told { name, value } = told;
        self.summary.failed += usize::from(value.is_err());
        self.log.report(EventKind::Output { name, value: value.map_err(Box::new) });
    }

    /// When something has to be done, whatever is reported.
    pub(crate) fn due(&mut self) -> Option<Duration> {
        self.schedule.next_due().into_iter().chain(self.lifecycle.due()).min()
    }

    /// Whether something has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.lifecycle.has_failed(self.summary.failed > 0)
    }

    pub(crate) fn cause(&self, visit: Visit) -> Cause {
        match self.notifications.of(visit) {
            None if visit.is_woken() => Cause::Woken(self.lifecycle.why(visit.node)),
            None => Cause::Written,
            Some(run) => Cause::Notified { by: self.id(run.by).clone(), moment: run.moment },
        }
    }

    fn handling(&self, node: NodeIndex) -> Option<&'a Handling> {
        self.program.set.entry(self.entry(node).resource).handling()
    }

    fn entry(&self, node: NodeIndex) -> &'a ActionEntry {
        self.program.list.get(node as usize)
    }

    pub(crate) fn describe(&self, node: NodeIndex) -> (ResourceId, Action) {
        (self.id(node).clone(), self.entry(node).action().clone())
    }

    pub(crate) fn id(&self, node: NodeIndex) -> &'a ResourceId {
        self.program.set.id(self.entry(node).resource)
    }
}
