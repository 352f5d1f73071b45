//! Why resources differ: the last applied values, compared with the machine and the declaration of now.

use uphold_engine::LoadedResource;
use uphold_journal::{Applied, AppliedResource, Records, ResourceKey, cause};
use uphold_model::{Difference, DifferenceCause, DifferenceCauses, Mutex};
use uphold_resource::Desired;

use super::applied_declaration::has_same_settings;
use super::applied_property::{applied_property, has_state, is_absent};
use super::words;

/// With more lookups, it is cheaper to read all records once.
const MOST_SEARCHES: usize = 8;

/// The last applied values of a configuration. A record that cannot be read is unknown.
pub(super) struct LastApplied {
    records: Records,
    configuration: String,
    lookup: Mutex<Lookup>,
}

#[derive(Default)]
struct Lookup {
    searches: usize,
    all: Option<Applied>,
}

impl LastApplied {
    pub(super) fn new(records: Records, configuration: &str) -> Self {
        Self { records, configuration: configuration.to_owned(), lookup: Mutex::default() }
    }

    /// Records were written: the next lookup reads them.
    pub(super) fn reload(&self) {
        *self.lookup.lock() = Lookup::default();
    }

    /// The last applied values of a resource.
    pub(super) fn find(&self, key: &ResourceKey) -> Option<AppliedResource> {
        let mut lookup = self.lookup.lock();
        if lookup.all.is_none() {
            if lookup.searches < MOST_SEARCHES {
                lookup.searches += 1;
                return self.records.find_applied(key).ok().flatten();
            }
            lookup.all = self.records.read_applied().ok().map(|(all, _)| all);
        }
        lookup.all.as_ref()?.get(key).cloned()
    }

    /// Why a resource differs.
    pub(super) fn causes(&self, loaded: &LoadedResource<'_>) -> DifferenceCauses {
        let LoadedResource { resource, instance, seen, sensitive, .. } = *loaded;
        if !has_state(instance.schema()) {
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
        if seen.differences.is_empty() || !self.records.has_secret_key() {
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
            return cause(last, property, &now.observed, &now.declared);
        }
        match last.properties.get(property) {
            None => DifferenceCause::New,
            Some(last) if last.declared == now.declared => DifferenceCause::Drift,
            Some(_) => DifferenceCause::Both,
        }
    }
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
