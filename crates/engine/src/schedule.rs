//! The schedule: which visit may begin next.
//!
//! A pure value: no thread, no clock, no IO. Time comes in as an argument; the dispatcher carries out the results.

mod node_set;
mod permits;
mod queues;
mod retries;
#[cfg(test)]
mod tests;
mod tickets;
mod visit;
mod walk;

use std::time::Duration;

use rustc_hash::FxHashMap;
use uphold_resource::Result;

use crate::graph::{Graph, NodeIndex};
use crate::notifications::TicketId;
use crate::program::Program;
use crate::program::list::GroupIndex;

pub(crate) use permits::Taken;
pub(crate) use queues::{DueQueue, Pick};
pub(crate) use retries::{Retries, delay};
pub(crate) use visit::Postponed;
pub(crate) use visit::{Stage, Visit, VisitCause};
pub(crate) use walk::{Downstream, Freed};

use permits::Permits;
use queues::Ready;
use tickets::Tickets;
use visit::Batches;
use walk::Walk;

/// Everything that decides which visit begins next.
///
/// # Guarantees
/// A node begins when its prerequisites are done. All permits of a visit are taken, or none. Awaited visits come first,
/// then written order, so that a run with one job is always the same.
pub(crate) struct Schedule<'p> {
    pub(crate) walk: Walk<'p>,
    pub(crate) ready: Ready,
    /// Notified visits whose prerequisites are not done.
    asleep: FxHashMap<NodeIndex, Vec<Visit>>,
    pub(crate) later: DueQueue<Visit>,
    permits: Permits,
    pub(crate) tickets: Tickets,
    pub(crate) batches: Batches,
    pub(crate) postponed: Postponed,
    /// Nodes that are not visited, and the facts that they pass on when their prerequisites are done.
    passing: FxHashMap<NodeIndex, Downstream>,
    /// Nodes from this one on run only when they are notified.
    first_on_request: NodeIndex,
    active: usize,
    pub(crate) unfinished: usize,
}

impl<'p> Schedule<'p> {
    /// The schedule of a program at its start. Begin with [`Walk::first`]. `passes`: the facts that a written node passes on
    /// without a visit; none if it is visited.
    pub(crate) fn new(
        program: &'p Program,
        postponed: Postponed,
        passes: impl Fn(NodeIndex) -> Option<Downstream>,
        seed: Option<u64>,
    ) -> Self {
        let written = NodeIndex::try_from(program.list.len()).expect("fewer than 2^32 nodes");
        let passing: FxHashMap<_, _> = (0..written).filter_map(|node| Some((node, passes(node)?))).collect();
        Self {
            permits: Permits::new(program),
            batches: Batches::of(program),
            postponed,
            unfinished: written as usize - passing.len(),
            passing,
            ..Self::of_graph(&program.graph, written, seed)
        }
    }

    /// Nodes from `first_on_request` on run only when they are notified. All others are visited, without permits.
    fn of_graph(graph: &'p Graph, first_on_request: NodeIndex, seed: Option<u64>) -> Self {
        Self {
            walk: Walk::new(graph),
            ready: Ready::new(seed, first_on_request),
            asleep: FxHashMap::default(),
            later: DueQueue::default(),
            permits: Permits::default(),
            tickets: Tickets::default(),
            batches: Batches::default(),
            postponed: Postponed::default(),
            passing: FxHashMap::default(),
            first_on_request,
            active: 0,
            unfinished: first_on_request as usize,
        }
    }

    /// Makes a notified visit ready, now or when its prerequisites are done.
    pub(crate) fn due_when_free(&mut self, visit: Visit) {
        if self.walk.is_free(visit.node) {
            self.ready.push(visit);
        } else {
            self.asleep.entry(visit.node).or_default().push(visit);
        }
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

    /// Whether suspended visits can go on: their notification was delivered, and their locks are not in use.
    pub(crate) fn can_resume(&self, ticket: TicketId) -> bool {
        let senders = self.tickets.senders(&[ticket]);
        self.tickets.is_delivered(ticket) && senders.iter().all(|sender| self.permits.can_resume(*sender))
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

    /// A written visit is over, and is not repeated.
    pub(crate) fn conclude(&mut self, node: NodeIndex) {
        self.unfinished -= 1;
        let woken = self.permits.finish(node);
        self.due_all(woken);
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

    /// Lets something go on that waits for a visit that waits for it: postponed visits, else the first parked one, else the
    /// first whose prerequisites are not done. False if there is none. Only for when nothing executes and no time is set.
    pub(crate) fn unstick(&mut self) -> bool {
        let postponed = self.postponed.take();
        if !postponed.is_empty() {
            self.due_all(postponed);
            return true;
        }
        let stuck = self.permits.force(&self.tickets).or_else(|| self.wake_asleep());
        let is_stuck = stuck.is_none() && self.is_active() && !self.is_executing();
        debug_assert!(!is_stuck, "a nested notification can never be delivered");
        stuck.map(|visit| self.ready.push(visit)).is_some()
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
}
