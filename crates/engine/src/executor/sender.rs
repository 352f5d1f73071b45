//! The way of nested notifications to the dispatcher: the thread of their sender delivers them, or waits.

use std::panic::{AssertUnwindSafe, catch_unwind};

use uphold_resource::{Error, Result};

use super::{Locked, Worker};
use crate::dispatcher::NextFor;
use crate::lifecycle::Lifecycle;
use crate::notifications::TicketId;
use crate::schedule::Visit;
use crate::visit::parent_run::{NestedRequest, Notifier};

/// Visits that one thread makes, and whose nested resources send notifications.
pub(super) struct Sender<'k, 's, 'e, 'v, 'a, L> {
    pub(super) worker: Worker<'s, 'e, 'v, 'a, L>,
    pub(super) visits: &'k [Visit],
}

impl<'s, 'v: 's, 'a: 's, L: Lifecycle + 's> Notifier for Sender<'_, 's, '_, 'v, 'a, L> {
    fn notify(&self, request: &NestedRequest) -> Result<()> {
        // A visit that panics has failed; a reader of events that panics ends the run.
        catch_unwind(AssertUnwindSafe(|| self.send(request))).unwrap_or_else(|panic| {
            *self.worker.shared.panic.lock() = Some(panic);
            Err(broken())
        })
    }
}

impl<'s, 'e, 'v: 's, 'a: 's, L: Lifecycle + 's> Sender<'_, 's, 'e, 'v, 'a, L> {
    fn send(&self, request: &NestedRequest) -> Result<()> {
        let Worker { shared, waiting, .. } = self.worker;
        let mut state = shared.state.lock().map_err(|_| broken())?;
        let Some(ticket) = state.dispatcher.notify(self.visits, request) else { return Ok(()) };
        loop {
            match state.dispatcher.next_for(ticket) {
                NextFor::Done(result) => return result,
                NextFor::Run(next) => {
                    state = self.worker.execute(state, next).ok_or_else(broken)?;
                    waiting.hand_over(shared, &mut state);
                }
                NextFor::Blocked => state = self.sleep(state, ticket)?,
            }
        }
    }

    /// Gives the job to another thread, and waits until the notification was delivered and a job is free again.
    fn sleep(&self, mut state: Locked<'e, 'a, L>, ticket: TicketId) -> Result<Locked<'e, 'a, L>> {
        let Worker { shared, waiting, .. } = self.worker;
        if !waiting.wake_idle(shared, &state) && !self.worker.start_another() {
            // It goes on without waiting.
            _ = state.dispatcher.schedule.resume(ticket);
            return Err(Error::failed("no other thread can be started to deliver the notification"));
        }
        state.busy -= 1;
        shared.wake_senders(&state);
        while !state.dispatcher.schedule.can_resume(ticket) || state.busy >= state.jobs {
            if state.is_broken {
                return Err(broken());
            }
            state = shared.delivered.wait(state).map_err(|_| broken())?;
        }
        state.busy += 1;
        Ok(state)
    }
}

/// A worker panicked: the run is over.
fn broken() -> Error {
    Error::failed("the run was ended")
}
