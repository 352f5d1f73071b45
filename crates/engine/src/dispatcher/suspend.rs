//! Nested notifications: a visit that sends one to be delivered before it goes on is suspended meanwhile.

use rustc_hash::FxHashMap;
use uphold_model::{Action, Moment};
use uphold_resource::{Error, ErrorKind, Result};

use super::{Dispatcher, Next};
use crate::event::Verdict;
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::lifecycle::Lifecycle;
use crate::notifications::{Notice, TicketId, is_delayed};
use crate::program::run_nodes::is_run_node;
use crate::program::set::ResourceIndex;
use crate::schedule::{Downstream, Visit};

/// An action that a nested resource notifies.
#[derive(Clone, Debug)]
pub(crate) struct NestedRequest {
    pub(crate) resource: ResourceIndex,
    pub(crate) action: Action,
    pub(crate) moment: Moment,
    /// Whether the sender has to do with a secret.
    pub(crate) secret: bool,
}

/// The nested notifications that were not delivered yet, and those whose senders have not gone on.
#[derive(Default)]
pub(crate) struct Tickets {
    open: FxHashMap<TicketId, Ticket>,
    last: u32,
    /// How many were delivered.
    delivered: usize,
}

struct Ticket {
    /// The suspended visits: several if they are applied in one batch.
    senders: Vec<Visit>,
    is_delivered: bool,
    failure: Option<Error>,
}

/// What the sender of a nested notification does next.
pub(crate) enum NextFor {
    /// Make this visit: it waits for that.
    Run(Next),
    /// It goes on.
    Done(Result<()>),
    /// Another visit has to go on first.
    Blocked,
}

impl Tickets {
    fn issue(&mut self, senders: &[Visit]) -> TicketId {
        self.last += 1;
        let ticket = Ticket { senders: senders.to_vec(), is_delivered: false, failure: None };
        self.open.insert(TicketId(self.last), ticket);
        TicketId(self.last)
    }

    fn senders(&self, id: TicketId) -> &[Visit] {
        self.open.get(&id).map_or(&[], |ticket| &ticket.senders)
    }

    fn fail(&mut self, id: TicketId, error: Error) {
        if let Some(ticket) = self.open.get_mut(&id) {
            ticket.failure = Some(error);
        }
    }

    /// The sender of a ticket can go on, unless it has given up.
    pub(super) fn deliver(&mut self, id: TicketId) {
        if let Some(ticket) = self.open.get_mut(&id) {
            ticket.is_delivered = true;
            self.delivered += 1;
        }
    }

    fn is_delivered(&self, id: TicketId) -> bool {
        self.open.get(&id).is_none_or(|ticket| ticket.is_delivered)
    }

    /// How many senders can go on, and have not yet.
    pub(crate) fn delivered(&self) -> usize {
        self.delivered
    }

    /// An open ticket that was not delivered.
    fn first(&self) -> Option<TicketId> {
        let waiting = self.open.iter().filter(|(_, ticket)| !ticket.is_delivered);
        waiting.map(|(id, _)| *id).min_by_key(|id| id.0)
    }

    fn close(&mut self, id: TicketId) -> Option<Ticket> {
        let ticket = self.open.remove(&id)?;
        self.delivered -= usize::from(ticket.is_delivered);
        Some(ticket)
    }
}

impl<L: Lifecycle> Dispatcher<'_, L> {
    /// A nested resource of these visits, which are executed together, sent a notification. With a ticket, they are
    /// suspended until it was delivered.
    pub(crate) fn notify(&mut self, senders: &[Visit], request: &NestedRequest) -> Option<TicketId> {
        let sender = *senders.first()?;
        let notice = self.notice(request);
        let mut out = Vec::new();
        if is_delayed(request.moment) {
            self.notifications.requested(sender, notice, &mut out);
            self.carry_out(out);
            return None;
        }
        let ticket = self.tickets.issue(senders);
        if !self.notifications.requested_now(sender, notice, ticket, request.secret, &mut out) {
            self.tickets.close(ticket);
            return None;
        }
        senders.iter().for_each(|sender| self.schedule.suspend(*sender));
        self.carry_out(out);
        Some(ticket)
    }

    /// The target of a request as a node that can be scheduled.
    pub(super) fn notice(&mut self, request: &NestedRequest) -> Notice {
        let resource = request.resource;
        let target = self.program.target(resource, &request.action);
        if is_run_node(target) {
            let declared = self.program.set.entry(resource);
            let locks = declared.handling().map_or(&[][..], |handling| &handling.locks);
            let id = &declared.declaration.id;
            self.schedule.add_node(target, (resource, id), self.program.nodes_of(resource), locks);
        }
        Notice { target, moment: request.moment }
    }

    /// What the sender with this ticket does next. It makes the visits that it waits for itself, as far as they can begin.
    pub(crate) fn next_for(&mut self, ticket: TicketId) -> NextFor {
        loop {
            if self.tickets.is_delivered(ticket) {
                let can_resume = self.can_resume(ticket);
                return if can_resume { NextFor::Done(self.resume(ticket)) } else { NextFor::Blocked };
            }
            let notifications = &self.notifications;
            let is_awaited = |visit| notifications.tickets(visit).first() == Some(&ticket);
            let Some(visit) = self.schedule.pop_awaited(is_awaited) else { return NextFor::Blocked };
            if self.is_taken(visit) {
                return NextFor::Run(self.begin(visit));
            }
        }
    }

    /// Whether the sender with this ticket can go on.
    pub(crate) fn can_resume(&self, ticket: TicketId) -> bool {
        let senders = self.tickets.senders(ticket);
        self.tickets.is_delivered(ticket) && senders.iter().all(|sender| self.schedule.can_resume(*sender))
    }

    fn resume(&mut self, ticket: TicketId) -> Result<()> {
        let Some(Ticket { senders, failure, .. }) = self.tickets.close(ticket) else { return Ok(()) };
        senders.into_iter().for_each(|sender| self.schedule.resume(sender));
        failure.map_or(Ok(()), Err)
    }

    /// The sender goes on without waiting: there is no thread that could deliver its notification.
    pub(crate) fn give_up(&mut self, ticket: TicketId) {
        let senders = self.tickets.close(ticket).map(|ticket| ticket.senders);
        senders.into_iter().flatten().for_each(|sender| self.schedule.resume(sender));
    }

    /// The suspended visits that wait for a visit, the innermost first.
    pub(super) fn lenders(&self, visit: Visit) -> Vec<Visit> {
        let tickets = self.notifications.tickets(visit);
        tickets.into_iter().flat_map(|ticket| self.tickets.senders(ticket)).copied().collect()
    }

    /// A visit would wait for one that waits for it.
    pub(super) fn refuse_cycle(&mut self, visit: Visit, holder: NodeIndex) {
        let message = format!("{} waits for it, and is its own consequence", self.id(holder));
        let hint = "notify it delayed: then it runs when the other is over".to_owned();
        let failure = Failure { hint: Some(hint), ..Failure::new(ErrorKind::Rejected, message) };
        let verdict = self.failed(visit.node, failure);
        let downstream = Downstream { root: Some(visit.node), ..Downstream::default() };
        self.conclude(visit, verdict, downstream, std::time::Duration::ZERO);
    }

    /// Notes for the sender of a nested notification that its target failed, or did not run.
    pub(super) fn note_failure(&mut self, visit: Visit, verdict: &Verdict) {
        let Some(ticket) = self.notifications.ticket(visit) else { return };
        let error = match verdict {
            Verdict::Failed(failure) => {
                let error = Error::new(failure.kind, failure.message.clone());
                match &failure.hint {
                    Some(hint) => error.hint(hint.clone()),
                    None => error,
                }
            }
            Verdict::Skipped(_) => Error::failed("it was skipped"),
            _ => return,
        };
        self.tickets.fail(ticket, error.while_(self.id(visit.node).to_string()));
    }

    /// Nothing executes or is due, and a visit is suspended: that is a defect, which must not become a hang.
    pub(super) fn fail_stuck(&mut self) -> bool {
        let Some(ticket) = self.tickets.first() else { return false };
        debug_assert!(false, "a nested notification can never be delivered");
        self.tickets.fail(ticket, Error::new(ErrorKind::Defect, "the notification can never be delivered"));
        self.tickets.deliver(ticket);
        true
    }
}
