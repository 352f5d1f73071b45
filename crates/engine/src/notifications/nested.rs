//! Notifications sent by nested resources: unlike declared ones, they are not known before the visit.

use std::collections::BTreeSet;

use super::run::{TicketId, Wait};
use super::{Notice, Notifications, NotifierChange, is_delayed};
use crate::schedule::{Downstream, Visit};

impl Notifications<'_> {
    /// A nested resource of a visit sent a notification. With a ticket, it is delivered before the visit goes on.
    pub(crate) fn requested(&mut self, by: Visit, notice: Notice, secret: bool) -> Option<TicketId> {
        let change = NotifierChange::of(by, true);
        if is_delayed(notice.moment) {
            if self.hold_nested(by, change, notice) {
                return None;
            }
            if !self.is_watching {
                self.delay([&notice].into_iter(), self.group(by.node), change, &BTreeSet::new());
            } else if self.may_run(notice.target, change) {
                self.held.entry(by.restarted()).or_default().push(change.run(&notice));
            }
            return None;
        }
        self.last_ticket.0 += 1;
        let (ticket, downstream) = (self.last_ticket, Downstream { secret, ..Downstream::default() });
        let decided = self.effects.len();
        let is_sent = self.send(by, &[&notice], change, Wait::Resume(ticket, by), downstream);
        if !is_sent {
            self.effects.truncate(decided);
        }
        is_sent.then_some(ticket)
    }

    /// A visit no longer executes: delivers the notifications of its nested resources.
    pub(crate) fn left(&mut self, visit: Visit) {
        for run in self.held.remove(&visit.restarted()).unwrap_or_default() {
            self.pend(run);
        }
    }

    /// The tickets of the senders that wait for this visit, the innermost first.
    pub(crate) fn tickets(&self, visit: Visit) -> impl Iterator<Item = TicketId> {
        let wait_of = |visit: Visit| self.runs.wait_of(visit.run()?);
        let waits = std::iter::successors(wait_of(visit), move |wait| match wait {
            Wait::Settle(notifier, _) | Wait::Proceed(notifier) => wait_of(*notifier),
            Wait::Resume(_, sender) => wait_of(*sender),
            Wait::Drain(_) | Wait::Verify(_) => None,
        });
        waits.filter_map(Wait::ticket)
    }

    /// The ticket that is delivered when this visit is over.
    pub(crate) fn ticket(&self, visit: Visit) -> Option<TicketId> {
        self.runs.wait_of(visit.run()?)?.ticket()
    }
}
