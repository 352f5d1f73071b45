//! The schedule: which visit may begin next.
//!
//! A pure value: no thread, no clock, no IO. Time comes in as an argument, and what a method returns is for the
//! dispatcher to carry out.

mod batches;
mod due_queue;
mod permits;
mod postponed;
mod ready;
mod retries;
mod shape;
#[cfg(test)]
mod tests;
mod tickets;
mod visit;
mod walk;

use std::time::Duration;

use rustc_hash::FxHashMap;
use uphold_resource::{Error, Result};

use crate::graph::NodeIndex;
use crate::notifications::TicketId;
use crate::program::Program;
use crate::program::groups::GroupIndex;

pub(crate) use due_queue::DueQueue;
pub(crate) use permits::Taken;
pub(crate) use postponed::Postponed;
pub(crate) use retries::{Retries, delay};
pub(crate) use shape::Shape;
pub(crate) use visit::{Stage, Visit, VisitCause};
pub(crate) use walk::{Downstream, Freed};

use batches::Batches;
use permits::Permits;
use ready::Ready;
use tickets::Tickets;
use walk::Walk;

/// Everything that decides which visit begins next.
///
/// # Guarantees
/// A node begins when its prerequisites are done. All permits of a visit are taken, or none. Awaited visits come first,
/// then written order, so that a run with one job is always the same.
pub(crate) struct Schedule<'p> {
    walk: Walk<'p>,
    ready: Ready,
    /// Notified visits whose prerequisites are not done.
    asleep: FxHashMap<NodeIndex, Vec<Visit>>,
    later: DueQueue<Visit>,
    permits: Permits,
    tickets: Tickets,
    batches: Batches,
    pub(crate) postponed: Postponed,
    /// Nodes that are not visited; they pass this on when their prerequisites are done.
    passing: FxHashMap<NodeIndex, Downstream>,
    /// Nodes from this one on run only when they are notified.
    first_on_request: NodeIndex,
    active: usize,
    unfinished: usize,
}

/// Which ready visits may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    Any,
    /// Only those that others wait for: a watch is about to end.
    Awaited,
}

impl<'p> Schedule<'p> {
    /// A schedule at its start, and what has no prerequisites: pass it to [`Schedule::set_free`].
    pub(crate) fn new(shape: Shape<'p>, seed: Option<u64>) -> (Self, Vec<Freed>) {
        let Shape { graph, first_on_request, permits, batches, postponed, passing } = shape;
        let walk = Walk::new(graph);
        let first = walk.first();
        let unfinished = first_on_request as usize - passing.len();
        let schedule = Self {
            walk,
            ready: Ready::new(seed),
            asleep: FxHashMap::default(),
            later: DueQueue::default(),
            permits,
            tickets: Tickets::default(),
            batches,
            postponed,
            passing,
            first_on_request,
            active: 0,
            unfinished,
        };
        (schedule, first)
    }

    /// Makes a visit ready.
    pub(crate) fn due(&mut self, visit: Visit) {
        self.ready.push(visit);
    }

    /// Makes a notified visit ready, now or when its prerequisites are done.
    pub(crate) fn due_when_free(&mut self, visit: Visit) {
        if self.walk.is_free(visit.node) {
            self.ready.push(visit);
        } else {
            self.asleep.entry(visit.node).or_default().push(visit);
        }
    }

    /// Makes a visit ready at a time.
    pub(crate) fn due_at(&mut self, visit: Visit, at: Duration) {
        self.later.set(visit, at);
    }

    /// Brings a waiting visit of a node forward to now.
    pub(crate) fn hasten(&mut self, node: NodeIndex, now: Duration) {
        let causes = [VisitCause::Written, VisitCause::Woken];
        let stages = [Stage::First, Stage::Again, Stage::Announced];
        let mut visits =
            causes.into_iter().flat_map(|cause| stages.map(|stage| Visit { node, cause, stage }));
        if let Some(visit) = visits.find(|visit| self.later.contains(*visit)) {
            self.later.set(visit, now);
        }
    }

    /// Time has come this far.
    pub(crate) fn advance(&mut self, now: Duration) {
        while let Some(visit) = self.later.pop(now) {
            self.ready.push(visit);
        }
    }

    /// The next ready visit. [`take`](Self::take) it, or drop it.
    pub(crate) fn pop(&mut self, pick: Pick) -> Option<Visit> {
        match pick {
            Pick::Any => self.ready.pop(),
            Pick::Awaited => self.pop_awaited(|_| true),
        }
    }

    /// The next ready visit that others wait for and that `accepts`.
    pub(crate) fn pop_awaited(&mut self, accepts: impl Fn(Visit) -> bool) -> Option<Visit> {
        self.ready.pop_awaited(accepts)
    }

    /// Takes all permits of a visit, or none. `chain`: the tickets of suspended visits that wait for it, the innermost first.
    pub(crate) fn take(&mut self, visit: Visit, chain: &[TicketId]) -> Taken {
        let (taken, others) = self.permits.take(visit, chain, &mut self.tickets);
        self.due_all(others);
        taken
    }

    /// Adds a node while the program runs.
    pub(crate) fn add_node(&mut self, node: NodeIndex, program: &Program) {
        self.permits.add_node(node, program);
        self.batches.add(node, &program.id(node).kind);
    }

    /// Visits that are executed together wait for a notification of theirs: they keep their permits, and do not count as
    /// executing.
    pub(crate) fn suspend(&mut self, ticket: TicketId, senders: &[Visit]) {
        self.tickets.open(ticket, senders);
        for sender in senders {
            self.end(*sender);
            let woken = self.permits.suspend(*sender, &self.tickets);
            self.due_all(woken);
        }
    }

    /// The notification of a ticket was delivered; its target may have [failed](Self::fail).
    pub(crate) fn deliver(&mut self, ticket: TicketId) {
        self.tickets.deliver(ticket);
    }

    /// The target of a notification failed, or did not run: the senders get this error when they resume.
    pub(crate) fn fail(&mut self, ticket: TicketId, error: Error) {
        self.tickets.fail(ticket, error);
    }

    pub(crate) fn is_delivered(&self, ticket: TicketId) -> bool {
        self.tickets.is_delivered(ticket)
    }

    /// How many tickets were delivered whose senders have not resumed.
    pub(crate) fn delivered(&self) -> usize {
        self.tickets.delivered()
    }

    /// Whether suspended visits can go on: their notification was delivered, and their locks are not in use.
    pub(crate) fn can_resume(&self, ticket: TicketId) -> bool {
        let senders = self.tickets.senders(&[ticket]);
        self.is_delivered(ticket) && senders.iter().all(|sender| self.permits.can_resume(*sender))
    }

    /// Suspended visits go on, with the result of their notification.
    ///
    /// # Errors
    /// If its target failed.
    pub(crate) fn resume(&mut self, ticket: TicketId) -> Result<()> {
        let (senders, result) = self.tickets.close(ticket);
        for sender in senders {
            self.permits.resume(sender);
            self.begin(sender);
        }
        result
    }

    /// A visit begins.
    pub(crate) fn begin(&mut self, visit: Visit) {
        self.active += 1;
        self.batches.begin(visit.node);
    }

    /// A visit no longer executes. Its permits are kept until [`leave`](Self::leave).
    pub(crate) fn end(&mut self, visit: Visit) {
        self.active -= 1;
        self.batches.end(visit.node);
    }

    /// Returns the permits of a visit.
    pub(crate) fn leave(&mut self, visit: Visit) {
        let woken = self.permits.give_back(visit, &self.tickets);
        self.due_all(woken);
    }

    /// Keeps a prepared visit, with its permits, until its batch is complete.
    pub(crate) fn push_batch(&mut self, visit: Visit) {
        self.batches.push(visit.again());
    }

    /// A complete batch.
    pub(crate) fn pop_batch(&mut self) -> Option<Vec<Visit>> {
        self.batches.pop()
    }

    /// Repeats a visit after the packages; at once if they are done meanwhile.
    pub(crate) fn postpone(&mut self, visit: Visit) {
        let visits = self.postponed.postpone(visit);
        self.due_all(visits);
    }

    /// A node was visited for the last time, or woken once more: visits that waited for a package may go on.
    pub(crate) fn brought(&mut self, node: NodeIndex, unpredicted: bool) {
        let visits = self.postponed.done(node, unpredicted);
        self.due_all(visits);
    }

    /// A written visit is over for good.
    pub(crate) fn conclude(&mut self, node: NodeIndex) {
        self.unfinished -= 1;
        let woken = self.permits.finish(node);
        self.due_all(woken);
    }

    /// Frees the dependents of a node or gate: pass the result to [`set_free`](Self::set_free).
    pub(crate) fn release(&mut self, node: NodeIndex, downstream: Downstream) -> Vec<Freed> {
        self.walk.release(node, downstream)
    }

    /// Makes freed nodes ready, until it comes to the end of a group: its notifications come first.
    pub(crate) fn set_free(&mut self, freed: &mut Vec<Freed>) -> Option<GroupIndex> {
        while let Some(next) = freed.pop() {
            match next {
                Freed::GroupEnd(group) => return Some(group),
                Freed::Node(node) if node >= self.first_on_request => {
                    let visits = self.asleep.remove(&node).unwrap_or_default();
                    self.due_all(visits);
                }
                Freed::Node(node) => match self.passing.get(&node).copied() {
                    None => self.ready.push(Visit::written(node)),
                    Some(downstream) => {
                        let woken = self.permits.finish(node);
                        self.due_all(woken);
                        freed.extend(self.walk.release(node, downstream));
                    }
                },
            }
        }
        None
    }

    /// Lets a notified node run before its notifier is done, which waits for it.
    pub(crate) fn go_ahead(&mut self, by: NodeIndex, target: NodeIndex, downstream: Downstream) {
        self.walk.go_ahead(by, target, downstream);
    }

    /// What the prerequisites of a node passed on to it.
    pub(crate) fn passed(&self, node: NodeIndex) -> Downstream {
        self.walk.passed(node)
    }

    /// Lets something go on that waits for a visit that waits for it: postponed visits, else the first parked one, else the
    /// first whose prerequisites are not done. False if there is none. Only for when nothing executes and no time is set.
    pub(crate) fn unstick(&mut self) -> bool {
        let postponed = self.postponed.take();
        if !postponed.is_empty() {
            self.due_all(postponed);
            return true;
        }
        let stuck = self.permits.force(&self.tickets).or_else(|| self.wake_asleep());
        stuck.map(|visit| self.ready.push(visit)).is_some() || self.tickets.fail_stuck()
    }

    fn wake_asleep(&mut self) -> Option<Visit> {
        let first = self.asleep.keys().min().copied()?;
        let visits = self.asleep.get_mut(&first)?;
        let visit = visits.pop();
        if visits.is_empty() {
            self.asleep.remove(&first);
        }
        visit
    }

    fn due_all(&mut self, visits: Vec<Visit>) {
        for visit in visits {
            self.ready.push(visit);
        }
    }

    /// Whether a visit executes, or can do so because it was suspended and its notification was delivered.
    pub(crate) fn is_executing(&self) -> bool {
        self.active > 0 || self.tickets.delivered() > 0
    }

    /// Whether a visit executes, or is suspended.
    pub(crate) fn is_active(&self) -> bool {
        self.active > 0 || !self.tickets.is_empty()
    }

    /// Whether every written action is over.
    pub(crate) fn is_finished(&self) -> bool {
        self.unfinished == 0
    }

    /// Written actions that are not over.
    pub(crate) fn unfinished(&self) -> usize {
        self.unfinished
    }

    /// Whether a visit is ready.
    pub(crate) fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// When the first waiting visit is due.
    pub(crate) fn next_due(&mut self) -> Option<Duration> {
        self.later.first()
    }

    /// Frees memory that was needed while many visits were ready.
    pub(crate) fn shrink(&mut self) {
        self.ready.shrink();
    }
}
