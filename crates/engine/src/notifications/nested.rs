//! Notifications sent by nested resources: unlike declared ones, they are not known before the visit.

use super::run::{TicketId, Wait};
use super::{Change, Effect, Notice, Notifications};
use crate::schedule::{Downstream, Visit};

impl Notifications<'_> {
    /// A nested resource of a visit sent a delayed notification.
    pub(crate) fn requested(&mut self, by: Visit, notice: Notice, out: &mut Vec<Effect>) {
        let change = Change { by: by.node, after: by.run(), certain: true };
        if self.is_watching && self.may_run(notice.target, change) {
            self.held.entry(by.restarted()).or_default().push(change.run(&notice));
        } else if !self.is_watching {
            self.delay(&[notice], self.group(by.node), change, out);
        }
    }

    /// A nested resource of a visit sent a notification that is delivered before the visit goes on. False if it would be
    /// its own consequence.
    pub(crate) fn requested_now(
        &mut self,
        by: Visit,
        notice: Notice,
        ticket: TicketId,
        secret: bool,
        out: &mut Vec<Effect>,
    ) -> bool {
        let change = Change { by: by.node, after: by.run(), certain: true };
        let downstream = Downstream { secret, ..Downstream::default() };
        self.send(by, &[&notice], change, Wait::Resume(ticket, by), downstream, out)
    }

    /// A visit no longer executes: delivers what its nested resources sent.
    pub(crate) fn left(&mut self, visit: Visit, out: &mut Vec<Effect>) {
        for run in self.held.remove(&visit.restarted()).unwrap_or_default() {
            self.pend(run, out);
        }
    }

    /// The nested notifications whose senders wait for this visit, the innermost first.
    pub(crate) fn tickets(&self, visit: Visit) -> Vec<TicketId> {
        let mut tickets = Vec::new();
        let mut visit = visit;
        while let Some(wait) = visit.run().and_then(|run| self.runs.wait_of(run)) {
            visit = match wait {
                Wait::Settle(notifier, _) | Wait::Proceed(notifier) => notifier,
                Wait::Drain(_) => break,
                Wait::Resume(ticket, sender) => {
                    tickets.push(ticket);
                    sender
                }
            };
        }
        tickets
    }

    /// The nested notification that a visit delivers.
    pub(crate) fn ticket(&self, visit: Visit) -> Option<TicketId> {
        match self.runs.wait_of(visit.run()?)? {
            Wait::Resume(ticket, _) => Some(ticket),
            Wait::Settle(..) | Wait::Proceed(_) | Wait::Drain(_) => None,
        }
    }
}
