//! The journal as a plan sees it: it reads what is pending, and records nothing.

use uphold_engine::{BeginningChange, Journal, PendingNotification, VerifiedChange};
use uphold_journal::DueNotification;
use uphold_model::{Action, ResourceId};
use uphold_resource::{Instance, Observation};

use super::words::system_time;

/// The journal of a plan, which needs no lock.
pub struct PlanJournal {
    pending: Vec<PendingNotification>,
}

impl PlanJournal {
    /// The journal of a plan of `configuration`, with all notifications that are due.
    pub fn new(configuration: &str, due: &[DueNotification]) -> Self {
        Self { pending: pending(configuration, due) }
    }
}

/// The notifications of a configuration, for the engine. An action that this version does not know stays in the journal.
pub(super) fn pending(configuration: &str, due: &[DueNotification]) -> Vec<PendingNotification> {
    let own = due.iter().filter(|due| due.target.configuration == configuration);
    let pending = own.filter_map(|due| {
        Some(PendingNotification {
            target: due.address.as_str().into(),
            action: Action::named(&due.verb)?,
            notifier: due.notifiers.first().map_or("", String::as_str).into(),
            since: system_time(due.time),
        })
    });
    pending.collect()
}

impl Journal for PlanJournal {
    fn pending(&self) -> Vec<PendingNotification> {
        self.pending.clone()
    }

    fn begin(&self, _: &BeginningChange<'_>) {}

    fn converged(&self, _: &ResourceId, _: &dyn Instance, _: &Observation) {}

    fn changed(&self, _: &VerifiedChange<'_>) {}

    fn taken_up(&self, _: &ResourceId, _: &Action) {}

    fn delivered(&self, _: &ResourceId, _: &Action) {}

    fn settle(&self, _: &[(&ResourceId, &Action)]) {}
}
