//! The journal as a plan sees it: it reads what is pending, and records nothing.

use uphold_engine::{BeginningChange, Journal, LoadedResource, PendingNotification, Program, VerifiedChange};
use uphold_journal::{DueNotification, LeftResource, Records, ResourceKey, Result};
use uphold_model::{Action, DifferenceCauses, Mutex, ResourceId};
use uphold_resource::{Reading, Registry};

use super::drift::LastApplied;
use super::left::{DeclaredResources, left, same_set, with_refusals};
use super::removal::{Redeclared, Removals};
use super::words::system_time;

/// The journal of a plan, which needs no lock.
pub struct PlanJournal {
    pending: Vec<PendingNotification>,
    configuration: String,
    /// None if they cannot be read, or the configuration has no name.
    applied: Option<(Records, LastApplied)>,
    /// The resources that are no longer declared and stay, and their kinds.
    left: Mutex<(Vec<LeftResource>, Registry)>,
}

impl PlanJournal {
    /// The journal of a plan of `configuration`, with all notifications that are due.
    pub fn new(configuration: &str, due: &[DueNotification], records: Option<Records>) -> Self {
        let records = records.filter(|_| !configuration.is_empty());
        let applied = records.map(|records| (records.clone(), LastApplied::new(records, configuration)));
        let (pending, left) = (pending(configuration, due), Mutex::default());
        Self { pending, configuration: configuration.to_owned(), applied, left }
    }

    /// A plan of all resources of this program begins, with these removals.
    pub fn declare(&self, program: &Program, removals: &Removals) {
        let left = self.no_longer_declared(program, removals).unwrap_or_default();
        *self.left.lock() = (left, program.kinds().clone());
    }

    /// The resources that were applied, that the program does not declare, and that an apply would leave as they are: exactly
    /// when the plan is complete.
    pub fn left(&self) -> Vec<LeftResource> {
        self.left.lock().0.clone()
    }

    fn no_longer_declared(&self, program: &Program, removals: &Removals) -> Result<Vec<LeftResource>> {
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

    fn applied_secrets(&self, loaded: &LoadedResource<'_>) -> Vec<usize> {
        self.applied.as_ref().map(|(_, last)| last.secrets(loaded)).unwrap_or_default()
    }

    fn changed(&self, _: &VerifiedChange<'_>) {}

    fn put_back(&self, _: &ResourceId) {}

    /// Something else may remove resources that are no longer declared, such as the purge of a directory.
    fn planned(&self, host: &Reading<'_>) {
        let Some((records, last)) = &self.applied else { return };
        let mut left = self.left.lock();
        let (left, kinds) = &mut *left;
        left.retain(|one| {
            let key = ResourceKey::new(&*self.configuration, &*one.kind, &*one.identity);
            let secret_key = || records.has_secret_key().then(|| records.secret_key().ok()).flatten();
            let Some(record) = last.find(&key) else { return true };
            !matches!(Redeclared::load(&record, kinds, host, secret_key), Ok(None))
        });
    }

    fn flush(&self, _: bool) {}

    fn taken_up(&self, _: &ResourceId, _: &Action) {}

    fn delivered(&self, _: &ResourceId, _: &Action) {}

    fn settle(&self, _: &[(&ResourceId, &Action)]) {}
}
