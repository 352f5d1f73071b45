//! Tickets: visits that are suspended until a notification of a nested resource was delivered.
//!
//! A pure value: no thread, no clock, no IO.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use uphold_resource::{Error, Result};

use super::visit::Visit;
use crate::notifications::TicketId;

/// The suspended visits, and what each of them waits for.
///
/// # Guarantees
/// A ticket is always delivered, so that no run hangs: if nothing executes, no time is set and no batch is left, its target is
/// - ready;
/// - or parked for a lock, a limit or a prerequisite, and [`Schedule::unstick`](super::Schedule::unstick) lets it go on;
/// - or parked for a resource. Nothing executes, so the visit that holds the resource is suspended, too, and what has been
///   said holds for the target of that visit's ticket. Such waits form no [`cycle`](Self::cycle), so that one of the
///   first two cases is reached.
#[derive(Default)]
pub(crate) struct Tickets {
    open: BTreeMap<TicketId, Ticket>,
    /// How many were delivered, and their senders have not resumed.
    delivered: usize,
}

struct Ticket {
    /// The suspended visits: several if they are applied in one batch.
    senders: Vec<Visit>,
    /// The visit that has to be over first, if it was parked.
    parked: Option<Visit>,
    is_delivered: bool,
    failure: Option<Error>,
}

impl Tickets {
    /// Visits are suspended until a notification is delivered.
    pub(crate) fn open(&mut self, id: TicketId, senders: &[Visit]) {
        let senders = senders.iter().map(|sender| sender.restarted()).collect();
        self.open.insert(id, Ticket { senders, parked: None, is_delivered: false, failure: None });
    }

    /// The suspended visits of these tickets.
    pub(crate) fn senders(&self, chain: &[TicketId]) -> Vec<Visit> {
        let tickets = chain.iter().filter_map(|id| self.open.get(id));
        tickets.flat_map(|ticket| ticket.senders.iter().copied()).collect()
    }

    /// A visit that all senders of these tickets wait for is parked.
    pub(crate) fn park(&mut self, chain: &[TicketId], visit: Visit) {
        for id in chain {
            if let Some(ticket) = self.open.get_mut(id) {
                ticket.parked = Some(visit);
            }
        }
    }

    /// The visits that have been parked while suspended visits wait for them.
    pub(crate) fn parked(&self) -> impl Iterator<Item = Visit> {
        self.open.values().filter_map(|ticket| ticket.parked)
    }

    /// The one of `senders` that `holder` waits for, itself or through other suspended visits: a visit that these senders
    /// wait for cannot wait for `holder`. `holder_of`: the visit that holds the resource for which another one is parked.
    pub(crate) fn cycle(
        &self,
        senders: &[Visit],
        mut holder: Visit,
        holder_of: impl Fn(Visit) -> Option<Visit>,
    ) -> Option<Visit> {
        for _ in 0..=self.open.len() {
            if senders.contains(&holder) {
                return Some(holder);
            }
            let ticket = self.open.values().find(|ticket| ticket.senders.contains(&holder))?;
            holder = holder_of(ticket.parked?)?;
        }
        None
    }

    /// The target of a notification failed, or did not run.
    pub(crate) fn fail(&mut self, id: TicketId, error: Error) {
        if let Some(ticket) = self.open.get_mut(&id) {
            ticket.failure = Some(error);
        }
    }

    /// A notification was delivered: its senders can resume.
    pub(crate) fn deliver(&mut self, id: TicketId) {
        if let Some(ticket) = self.open.get_mut(&id) {
            ticket.is_delivered = true;
            self.delivered += 1;
        }
    }

    pub(crate) fn is_delivered(&self, id: TicketId) -> bool {
        self.open.get(&id).is_none_or(|ticket| ticket.is_delivered)
    }

    /// How many senders can resume, and have not.
    pub(crate) fn delivered(&self) -> usize {
        self.delivered
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The senders of a ticket resume: which they are, and the result of their notification.
    pub(crate) fn close(&mut self, id: TicketId) -> (Vec<Visit>, Result<()>) {
        let Some(ticket) = self.open.remove(&id) else { return (Vec::new(), Ok(())) };
        self.delivered -= usize::from(ticket.is_delivered);
        (ticket.senders, ticket.failure.map_or(Ok(()), Err))
    }
}
