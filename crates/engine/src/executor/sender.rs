//! The way of nested notifications to the dispatcher: the thread of their sender delivers them, or waits.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;

use uphold_resource::{Error, Result};

use super::{Locked, Worker};
use crate::dispatcher::{NestedRequest, NextFor};
use crate::lifecycle::Lifecycle;
use crate::notifications::TicketId;
use crate::schedule::Visit;
use crate::visit::parent_run::Notifier;

/// Visits that one thread makes, and whose nested resources send notifications.
pub(super) struct Sender<'k, 's, 'e, 'v, 'a, L> {
    pub(super) worker: Worker<'s, 'e, 'v, 'a, L>,
    pub(super) visits: &'k [Visit],
}

impl<'s, 'v: 's, 'a: 's, L: Lifecycle + 's> Notifier for Sender<'_, 's, '_, 'v, 'a, L> {
    fn notify(&self, request: &NestedRequest) -> Result<()> {
        // A visit that panics has failed; a reader of events that panics ends the run.
        catch_unwind(AssertUnwindSafe(|| self.send(request))).unwrap_or_else(|panic| {
            *self.worker.shared.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
            Err(broken())
        })
    }
}

impl<'s, 'e, 'v: 's, 'a: 's, L: Lifecycle + 's> Sender<'_, 's, 'e, 'v, 'a, L> {
    fn send(&self, request: &NestedRequest) -> Result<()> {
        let Worker { shared, rest, .. } = self.worker;
        let mut desk = shared.desk.lock().map_err(|_| broken())?;
        let Some(ticket) = desk.dispatcher.notify(self.visits, request) else { return Ok(()) };
        loop {
            match desk.dispatcher.next_for(ticket) {
                NextFor::Done(result) => return result,
                NextFor::Run(next) => {
                    desk = self.worker.execute(desk, next).ok_or_else(broken)?;
                    rest.hand_over(shared, &mut desk);
                }
                NextFor::Blocked => desk = self.sleep(desk, ticket)?,
            }
        }
    }

    /// Gives the job to another thread, and waits until the notification was delivered and there is a job again.
    fn sleep(&self, mut desk: Locked<'e, 'a, L>, ticket: TicketId) -> Result<Locked<'e, 'a, L>> {
        let Worker { shared, rest, .. } = self.worker;
        if !rest.wake_idle(shared, &desk) && !self.worker.start_another() {
            desk.dispatcher.give_up(ticket);
            return Err(Error::failed("there is no thread that could deliver the notification"));
        }
        desk.busy -= 1;
        shared.wake_senders(&desk);
        while !desk.dispatcher.can_resume(ticket) || desk.busy >= desk.jobs {
            if desk.is_broken {
                return Err(broken());
            }
            desk = shared.delivered.wait(desk).map_err(|_| broken())?;
        }
        desk.busy += 1;
        Ok(desk)
    }
}

/// A worker panicked: the run is over.
fn broken() -> Error {
    Error::failed("the run was ended")
}
