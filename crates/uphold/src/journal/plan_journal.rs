//! The journal as a plan sees it: it reads what is pending, and records nothing.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashSet;
use uphold_engine::{BeginningChange, Journal, LoadedResource, PendingNotification, Program, VerifiedChange};
use uphold_journal::{
    Applied, AppliedProperty, AppliedResource, DueNotification, LeftResource, Records, ResourceKey, Result,
    cause,
};
use uphold_model::{Action, Difference, DifferenceCause, DifferenceCauses, Mutex, ResourceId};
use uphold_resource::{Desired, Instance, Observation, Reading, Registry};

use super::applied_property::{applied_property, has_state, is_absent, observed};
use super::applied_record::has_same_settings;
use super::left::{DeclaredResources, left, same_set, with_refusals};
use super::moved_verification::moved_verifications;
use super::purge_cause::{AppliedPaths, cause_of_purge};
use super::removal::{Redeclared, Removals};
use super::words;
use super::words::system_time;

/// The journal of a plan, which needs no lock.
pub struct PlanJournal {
    due: Vec<DueNotification>,
    pending: Mutex<Vec<PendingNotification>>,
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
        let own = due.iter().filter(|due| due.target.configuration == configuration);
        let (pending, left) = (Mutex::new(pending(configuration, due)), Mutex::default());
        Self { due: own.cloned().collect(), pending, configuration: configuration.to_owned(), applied, left }
    }

    /// A plan of this program begins: verifications that groups left which are not declared any more are those of others.
    pub fn move_verifications(&self, program: &Program) {
        let moved = moved_verifications(self.due.iter().cloned(), program);
        let is_moved = |due: &DueNotification| moved.iter().any(|one| one.due.n == due.n);
        let mut due: Vec<DueNotification> = self.due.iter().filter(|due| !is_moved(due)).cloned().collect();
        due.extend(moved.into_iter().flat_map(|one| one.by).map(|new| DueNotification::new(0, new)));
        *self.pending.lock() = pending(&self.configuration, &due);
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
        let Some((records, last)) = &self.applied else { return Ok(Vec::new()) };
        let left = match same_set(records, &self.configuration, program)? {
            Some(same) => same.left,
            None => {
                let (applied, _) = records.read_applied()?;
                let has_records = applied.has_record_of(&self.configuration);
                last.note_records(has_records);
                if !has_records {
                    return Ok(Vec::new());
                }
                let declared = DeclaredResources::of(program).keys(records.has_secret_key());
                left(&applied, &self.configuration, &declared)
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
        self.pending.lock().clone()
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

// Why resources differ: the last applied values, compared with the machine and the declaration of now.

/// With more lookups, it is cheaper to read all records once.
const MOST_SEARCHES: usize = 8;

/// The last applied values of a configuration. A record that cannot be read is unknown.
pub(super) struct LastApplied {
    records: Records,
    configuration: String,
    lookup: Mutex<Lookup>,
    /// Whether nothing can be found.
    is_empty: AtomicBool,
}

#[derive(Default)]
struct Lookup {
    searches: usize,
    all: Option<Applied>,
    paths: Option<AppliedPaths>,
}

impl Lookup {
    /// All records; none if they cannot be read.
    fn all(&mut self, records: &Records) -> Option<&Applied> {
        if self.all.is_none() {
            self.all = records.read_applied().ok().map(|(all, _)| all);
        }
        self.all.as_ref()
    }
}

impl LastApplied {
    pub(super) fn new(records: Records, configuration: &str) -> Self {
        let (lookup, is_empty) = Default::default();
        Self { records, configuration: configuration.to_owned(), lookup, is_empty }
    }

    /// Notes whether the configuration has a record. In its first run it has none, and no resource is looked up.
    pub(super) fn note_records(&self, has_records: bool) {
        self.is_empty.store(!has_records, Ordering::Relaxed);
    }

    /// Records were written: the next lookup reads them.
    pub(super) fn reload(&self) {
        *self.lookup.lock() = Lookup::default();
        self.note_records(true);
    }

    /// The last applied values of a resource.
    pub(super) fn find(&self, key: &ResourceKey) -> Option<AppliedResource> {
        let mut lookup = self.lookup.lock();
        if lookup.all.is_none() && lookup.searches < MOST_SEARCHES {
            lookup.searches += 1;
            return self.records.find_applied(key).ok().flatten();
        }
        lookup.all(&self.records)?.get(key).cloned()
    }

    /// Whether a path, or one below it, belonged to a resource of the last apply.
    fn had_path(&self, path: &Path, kinds: &Registry) -> bool {
        let mut lookup = self.lookup.lock();
        if lookup.paths.is_none() {
            let all = lookup.all(&self.records);
            let own = all.into_iter().flat_map(|all| all.of_configuration(&self.configuration));
            lookup.paths = Some(AppliedPaths::of(own, kinds));
        }
        lookup.paths.as_ref().is_some_and(|paths| paths.contains(path))
    }

    /// Why a resource differs.
    pub(super) fn causes(&self, loaded: &LoadedResource<'_>) -> DifferenceCauses {
        let LoadedResource { resource, instance, seen, sensitive, .. } = *loaded;
        if self.is_empty.load(Ordering::Relaxed) || !has_state(instance.schema()) {
            return DifferenceCauses::default();
        }
        let key = words::applied_key(&self.configuration, resource, instance, sensitive);
        let Some(last) = self.find(&key) else { return DifferenceCauses::default() };
        let was_absent = is_absent(&last);
        match (seen.desired, seen.exists) {
            (Desired::Absent, _) if was_absent => all(DifferenceCause::Drift, &seen.differences),
            (Desired::Present, false) if was_absent => all(DifferenceCause::New, &seen.differences),
            (Desired::Absent, _) => all(DifferenceCause::New, &seen.differences),
            // With another file or key, it is another part of the machine.
            (Desired::Present, _) if !has_same_settings(&last, loaded) => {
                all(DifferenceCause::New, &seen.differences)
            }
            (Desired::Present, exists) => {
                let each = seen.differences.iter().map(|difference| self.cause(loaded, &last, difference));
                // It was removed outside Uphold.
                let start = if exists { DifferenceCause::Unknown } else { DifferenceCause::Drift };
                joined(each.collect(), start)
            }
        }
    }

    /// The positions of differences whose last applied value was a secret. Reads nothing if no run had a secret.
    pub(super) fn secrets(&self, loaded: &LoadedResource<'_>) -> Vec<usize> {
        let LoadedResource { resource, instance, seen, .. } = *loaded;
        let is_empty = seen.differences.is_empty() || self.is_empty.load(Ordering::Relaxed);
        if is_empty || !self.records.has_secret_key() {
            return Vec::new();
        }
        // The record of a resource with `sensitive = true` has no identity.
        let keys = [false, true];
        let keys = keys.map(|hides| words::applied_key(&self.configuration, resource, instance, hides));
        let records = keys.iter().filter_map(|key| self.find(key)).filter(|record| !record.is_left);
        let records: Vec<AppliedResource> = records.collect();
        let was_secret = |difference: &Difference| {
            let mut last = records.iter().filter_map(|record| record.properties.get(property_of(difference)));
            last.any(|last| last.observed.is_secret())
        };
        let differences = seen.differences.iter().enumerate();
        differences.filter(|(_, difference)| was_secret(difference)).map(|(index, _)| index).collect()
    }

    fn cause(
        &self,
        loaded: &LoadedResource<'_>,
        last: &AppliedResource,
        difference: &Difference,
    ) -> DifferenceCause {
        let property = property_of(difference);
        let is_secret = last.properties.get(property).is_some_and(|last| last.observed.is_secret());
        // Only a recorded secret needs the key; a plan must not create one.
        let key = || is_secret.then(|| self.records.secret_key().ok()).flatten();
        let Some(now) = applied_property(loaded, property, key) else { return DifferenceCause::Unknown };
        if loaded.seen.exists {
            let cause = cause(last, property, &now.observed, &now.declared);
            let was_applied = |path: &Path| self.had_path(path, loaded.kinds);
            return cause_of_purge(cause, loaded.instance, difference, was_applied);
        }
        match last.properties.get(property) {
            None => DifferenceCause::New,
            Some(last) if last.declared == now.declared => DifferenceCause::Drift,
            Some(_) => DifferenceCause::Both,
        }
    }
}

/// The properties of a resource whose values a run of any configuration applied as secrets. Reads nothing if no run had a
/// secret.
pub fn applied_secrets(
    records: &Records,
    resource: &ResourceId,
    instance: &dyn Instance,
    seen: &Observation,
) -> FxHashSet<String> {
    let secret_key = records.has_secret_key().then(|| records.secret_key().ok()).flatten();
    let (Some(secret_key), Ok((applied, _))) = (secret_key, records.read_applied()) else {
        return FxHashSet::default();
    };
    let keys = [false, true].map(|hides| words::applied_key("", resource, instance, hides));
    let of_kind = applied.all().filter(|record| record.key.kind == keys[0].kind);
    let secrets = of_kind.flat_map(|record| {
        let is_same = keys.iter().any(|key| key.identity == record.key.identity);
        let secrets = record.properties.iter().filter(|(_, last)| last.observed.is_secret());
        secrets.map(move |(name, last)| (name, last, is_same))
    });
    // The record of a resource with `sensitive = true` does not say which one it is.
    let has_value = |name: &str, last: &AppliedProperty| {
        let value = instance.value(name, Some(seen));
        value.is_some_and(|value| observed(&value, Some(&secret_key)) == last.observed)
    };
    let hidden = secrets.filter(|(name, last, is_same)| *is_same || has_value(name, last));
    hidden.map(|(name, ..)| name.to_owned()).collect()
}

/// The property of a difference, which may be one of its members; or a nested resource, which is no property.
fn property_of(difference: &Difference) -> &str {
    difference.property.split(['.', '[']).next().unwrap_or_default()
}

/// The same cause for everything.
pub(super) fn all(cause: DifferenceCause, differences: &[Difference]) -> DifferenceCauses {
    joined(vec![cause; differences.len()], cause)
}

fn joined(each: Vec<DifferenceCause>, start: DifferenceCause) -> DifferenceCauses {
    DifferenceCauses { whole: each.iter().fold(start, |whole, one| whole.and(*one)), each }
}
