//! Handing out visits: which one begins next, and what follows when there is none.

use std::time::Duration;

use uphold_resource::Result;

use super::Dispatcher;
use super::finish::VisitEnd;
use crate::event::{EventKind, Skip, Verdict};
use crate::failure::Failure;
use crate::lifecycle::{Counts, Idle, Lifecycle};
use crate::notifications::TicketId;
use crate::schedule::{Taken, Visit};
use crate::visit::batch::Part;
use crate::visit::{Phase, VisitInputs};
use crate::watch::Admission;

/// How many visits wait at most to put their files in place together. More would save little, and each has an open file.
const MOST_WRITERS: usize = 256;

/// Visits wait for others to write with only while at least this many are ready. In a small run each writes at once, so
/// that results are reported in written order.
const WORTH_WAITING: usize = 32;

/// The next thing that a worker should do.
pub(crate) enum Next {
    Visit(Visit, Phase, VisitInputs),
    /// Apply these in one batch.
    Batch(Vec<(Visit, Part)>),
    /// Apply these, and put their files in place together.
    Writes(Vec<(Visit, Part)>),
    /// Nothing is ready: ask again when something was finished or reported, or at this time.
    Wait(Option<Duration>),
    /// Everything was visited: the outputs are due, the watch goes on.
    Round,
    Done,
}

/// The next thing that the sender of a nested notification should do.
pub(crate) enum NextFor {
    /// Make this visit, for which it waits.
    Run(Next),
    /// Go on, with the result of the notification.
    Done(Result<()>),
    /// Wait: another visit has to be over first.
    Blocked,
}

impl<L: Lifecycle> Dispatcher<'_, L> {
    /// The next thing to do. Visits that cannot run because of an earlier failure are concluded here.
    pub(crate) fn next(&mut self) -> Next {
        loop {
            self.log.read_clock();
            let now = self.log.now();
            // Waits end with the run.
            self.schedule.advance(if self.stop.is_requested() { Duration::MAX } else { now });
            self.lifecycle.collect(now);
            self.carry_out_watch();
            if self.has_due_writes() {
                return self.begin_writes();
            }
            let pick = self.lifecycle.pick(now);
            while let Some(visit) = self.schedule.ready.pop(pick) {
                if self.is_taken(visit) {
                    return self.begin(visit);
                }
            }
            // None of the ready ones could begin.
            if !self.writers.is_empty() {
                return self.begin_writes();
            }
            if let Some(visits) = self.schedule.batches.pop() {
                return self.begin_batch(visits);
            }
            let next_due = self.schedule.later.first();
            if self.schedule.is_executing() || next_due.is_some() || !self.go_on() {
                return self.idle(next_due);
            }
        }
    }

    /// Whether a ready visit can begin, with its permits. If not, it is parked, or concluded.
    fn is_taken(&mut self, visit: Visit) -> bool {
        if !self.is_admitted(visit) {
            return false;
        }
        if let Some(skip) = self.skip(visit) {
            self.conclude(visit, Verdict::Skipped(skip), &VisitEnd::default());
            return false;
        }
        let chain: Vec<TicketId> = self.notifications.tickets(visit).collect();
        let taken = self.schedule.take(visit, &chain);
        if let Taken::Cycle(holder) = taken {
            let failure = Failure::own_consequence(self.program.id(holder.node));
            self.conclude(visit, self.failed(visit.node, failure), &VisitEnd::default());
        }
        taken == Taken::Yes
    }

    fn is_admitted(&mut self, visit: Visit) -> bool {
        let run = self.notifications.of(visit);
        let admission = self.lifecycle.admit(visit, run, self.stop.is_requested());
        self.carry_out_watch();
        if let Admission::Block(root) = admission {
            let verdict = Verdict::Skipped(Skip::FailedBefore(self.program.id(root).clone()));
            self.log.blocked(visit.node, self.cause(visit), verdict);
            self.has_settled(visit);
        }
        admission == Admission::Take
    }

    /// Why a ready visit is skipped.
    fn skip(&self, visit: Visit) -> Option<Skip> {
        if self.stop.is_requested() {
            return Some(Skip::Stopped);
        }
        let root = self.lifecycle.root(visit.node, self.schedule.walk.passed(visit.node).root);
        if let Some(root) = root {
            return Some(Skip::FailedBefore(self.program.id(root).clone()));
        }
        let limit = self.request.stop_after_failures;
        limit.is_some_and(|limit| self.log.summary.failed >= limit.get()).then_some(Skip::TooManyFailures)
    }

    fn begin(&mut self, visit: Visit) -> Next {
        self.lifecycle.began(visit);
        if visit.is_first() {
            self.notifications.begun(visit);
            self.log.started(visit.node, self.cause(visit));
            self.take_up(visit);
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
            let resources = visits.iter().map(|visit| self.program.id(visit.node).clone()).collect();
            self.log.report(EventKind::Merged { resources });
        }
        let part = |visit: Visit| Some((visit, self.prepared.remove(&visit)?));
        Next::Batch(visits.into_iter().filter_map(part).collect())
    }

    /// Whether prepared visits put their files in place now.
    fn has_due_writes(&self) -> bool {
        let is_worth_waiting = || self.schedule.ready.len() >= WORTH_WAITING;
        !self.writers.is_empty() && (self.writers.len() >= MOST_WRITERS || !is_worth_waiting())
    }

    /// In written order, because the order in which loads ended is random.
    fn begin_writes(&mut self) -> Next {
        let mut writers = std::mem::take(&mut self.writers);
        writers.sort_by_key(|(visit, _)| visit.node);
        for (visit, _) in &writers {
            self.schedule.begin(*visit);
        }
        Next::Writes(writers)
    }

    /// Nothing executes, and no time is set: lets a visit go on that waits for another one that waits for it, or delivers
    /// a notification that is delayed to the end of the run. False if there is nothing.
    fn go_on(&mut self) -> bool {
        if self.schedule.unstick() {
            return true;
        }
        let is_over = self.schedule.is_finished() && self.notifications.are_over();
        let is_notified = is_over && self.notifications.end_run();
        self.carry_out();
        is_notified
    }

    fn idle(&mut self, next_due: Option<Duration>) -> Next {
        let (is_active, is_delivered) = (self.schedule.is_active(), self.notifications.are_over());
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
                    self.settle_pending();
                }
                Next::Wait(self.due())
            }
        }
    }

    /// What the sender with this ticket does next. It makes the visits that it waits for itself, as far as they can begin.
    pub(crate) fn next_for(&mut self, ticket: TicketId) -> NextFor {
        self.log.read_clock();
        while !self.schedule.tickets.is_delivered(ticket) {
            let notifications = &self.notifications;
            let is_user_request = |visit| notifications.tickets(visit).next() == Some(ticket);
            let Some(visit) = self.schedule.ready.pop_awaited(is_user_request) else {
                return NextFor::Blocked;
            };
            if self.is_taken(visit) {
                return NextFor::Run(self.begin(visit));
            }
        }
        let can_resume = self.schedule.can_resume(ticket);
        if can_resume { NextFor::Done(self.schedule.resume(ticket)) } else { NextFor::Blocked }
    }
}
