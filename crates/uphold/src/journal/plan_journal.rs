//! The journal as a plan sees it: it reads what is pending, and records nothing.

use uphold_engine::{BeginningChange, Journal, LoadedResource, PendingNotification, Program, VerifiedChange};
use uphold_journal::{DueNotification, LeftResource, Records, Result};
use uphold_model::{Action, DifferenceCauses, ResourceId};

use super::drift::LastApplied;
use super::left::{DeclaredResources, left, same_set, with_refusals};
use super::removal::Removals;
use super::words::system_time;

/// The journal of a plan, which needs no lock.
pub struct PlanJournal {
    pending: Vec<PendingNotification>,
    configuration: String,
    /// None if they cannot be read, or the configuration has no name.
    applied: Option<(Records, LastApplied)>,
}

impl PlanJournal {
    /// The journal of a plan of `configuration`, with all notifications that are due.
    pub fn new(configuration: &str, due: &[DueNotification], records: Option<Records>) -> Self {
        let records = records.filter(|_| !configuration.is_empty());
        let applied = records.map(|records| (records.clone(), LastApplied::new(records, configuration)));
        Self { pending: pending(configuration, due), configuration: configuration.to_owned(), applied }
    }

    /// The resources that were applied, that `program` does not declare, and that an apply would leave as they are.
    ///
    /// # Errors
    /// If the last applied values cannot be read.
    pub fn no_longer_declared(&self, program: &Program, removals: &Removals) -> Result<Vec<LeftResource>> {
        let Some((records, _)) = &self.applied else { return Ok(Vec::new()) };
        let left = match same_set(records, &self.configuration, program)? {
            Some(same) => same.left,
            None => {
                let (applied, _) = records.read_applied()?;
                left(&applied, &self.configuration, &DeclaredResources::of(program).keys())
            }
        };
        Ok(with_refusals(left, &self.configuration, removals))
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
            also: (due.more == 0)
                .then(|| due.notifiers.iter().skip(1).map(|name| name.as_str().into()).collect()),
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

    fn converged(&self, _: &LoadedResource<'_>) {}

    fn causes(&self, loaded: &LoadedResource<'_>) -> DifferenceCauses {
        self.applied.as_ref().map(|(_, last)| last.causes(loaded)).unwrap_or_default()
    }

    fn changed(&self, _: &VerifiedChange<'_>) {}

    fn put_back(&self, _: &ResourceId) {}

    fn flush(&self, _: bool) {}

    fn taken_up(&self, _: &ResourceId, _: &Action) {}

    fn delivered(&self, _: &ResourceId, _: &Action) {}

    fn settle(&self, _: &[(&ResourceId, &Action)]) {}
}
