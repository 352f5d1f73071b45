//! Records the last applied values of a run.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_engine::{ChangeKind, LoadedResource, Program, Summary};
use uphold_journal::{
    Applied, AppliedProperty, AppliedResource, DeclaredDigest, Failure, LastSet, LeftResource, Observed,
    Records, ResourceKey, SealedRecord, SecretKey, Time, dependency_digest,
};
use uphold_model::{DifferenceCause, DifferenceCauses, Mutex, ResourceId};
use uphold_resource::Machine;

use super::applied_property::{
    StateProperty, has_state, load_property, observed, properties, undeclared_content,
};
use super::applied_record::declaration;
use super::applied_record::{
    following, forget_missing, forget_removed, hash, stored_notifications, stored_policy, update_policies,
};
use super::left::{DeclaredResources, left, same_set, start_of_set, with_refusals};
use super::plan_journal::{LastApplied, all};
use super::removal::Removals;
use super::run_values::{BegunChange, FoundRecord, FoundResource, RunValues};
use super::unfinished::{UnrecordedChange, unfinished_changes};
use super::words;

/// More dependencies are not recorded: the order of so many removals follows from the others.
const MOST_DEPENDENCIES: usize = 16;

/// The values that a run has applied, until it ends.
///
/// If the same set was applied before, only changed resources are looked at, and those with values that the digest of the
/// set does not cover: a run without changes costs next to nothing.
pub(super) struct AppliedValues {
    records: Records,
    configuration: String,
    last: LastApplied,
    secret_key: OnceLock<Option<SecretKey>>,
    looks_at_all: AtomicBool,
    looks_at_some: AtomicBool,
    /// The number of the configuration in its lines, if this is its first run; else 0.
    number: AtomicU32,
    /// In a watch: every resource was as declared, so that a difference is drift.
    is_settled: AtomicBool,
    run: Mutex<RunValues>,
}

impl AppliedValues {
    pub(super) fn new(records: Records, configuration: &str) -> Self {
        Self {
            last: LastApplied::new(records.clone(), configuration),
            records,
            configuration: configuration.to_owned(),
            secret_key: OnceLock::new(),
            looks_at_all: AtomicBool::new(false),
            looks_at_some: AtomicBool::new(false),
            number: AtomicU32::new(0),
            is_settled: AtomicBool::new(false),
            run: Mutex::default(),
        }
    }

    /// A run of this program begins on a machine. Only a run of all resources can know those that are no longer declared.
    pub(super) fn declare(
        &self,
        program: &Program,
        is_whole: bool,
        removals: Arc<Removals>,
        machine: &Machine,
    ) {
        let same = same_set(&self.records, &self.configuration, program).ok().flatten();
        let (mut left_over, mut declared) = (Vec::new(), None);
        let (mut number, mut has_records) = (0, true);
        match &same {
            Some(same) if is_whole => left_over.clone_from(&same.left),
            None if is_whole => {
                let applied = self.records.read_applied().map(|(applied, _)| applied).ok();
                has_records =
                    applied.as_ref().is_none_or(|applied| applied.has_record_of(&self.configuration));
                if let (Some(applied), false) = (&applied, has_records) {
                    number = applied.number_of(&self.configuration);
                }
                // Without a record, nothing can be left.
                declared =
                    has_records.then(|| DeclaredResources::of(program).keys(self.records.has_secret_key()));
                if let (Some(applied), Some(declared)) = (&applied, &declared) {
                    left_over = left(applied, &self.configuration, declared);
                }
            }
            _ => {}
        }
        let unfinished = match &same {
            Some(_) => FxHashMap::default(),
            None => unfinished_changes(&self.records, &self.configuration),
        };
        let uncovered = program.digest().uncovered.clone();
        self.is_settled.store(false, Ordering::Relaxed);
        self.looks_at_all.store(same.is_none(), Ordering::Relaxed);
        self.looks_at_some.store(!uncovered.is_empty() || !removals.is_empty(), Ordering::Relaxed);
        self.number.store(number, Ordering::Relaxed);
        self.last.note_records(has_records);
        let mut run = self.run.lock();
        *run = RunValues {
            start_of_set: start_of_set(program),
            last_set: same,
            uncovered,
            declared,
            is_whole,
            unfinished,
            found: std::mem::take(&mut run.found),
            machine: Some((machine.clone(), program.kinds().clone())),
            left: with_refusals(left_over, &self.configuration, &removals),
            removals,
            ..RunValues::default()
        };
    }

    /// The resources that are no longer declared: before the run as far as that is known, after it exactly.
    pub(super) fn left(&self) -> Vec<LeftResource> {
        self.run.lock().left.clone()
    }

    /// Why a resource that is no longer declared is removed or reverted; none if it is not.
    pub(super) fn removal_reason(&self, resource: &ResourceId) -> Option<String> {
        self.run.lock().removals.why(resource)
    }

    /// The last applied values of a resource that is removed or reverted, because it is no longer declared.
    pub(super) fn ending(&self, resource: &ResourceId) -> Option<AppliedResource> {
        let key = self.run.lock().removals.planned(resource).cloned()?;
        self.last.find(&key)
    }

    /// A resource is about to be changed.
    pub(super) fn begin(&self, resource: &ResourceId, change: BegunChange) {
        self.looks_at_some.store(true, Ordering::Relaxed);
        self.run.lock().changed.insert(resource.clone(), change);
    }

    /// A resource is as declared. Its state properties are made only if they are needed.
    pub(super) fn converged(
        &self,
        loaded: &LoadedResource<'_>,
        state: &impl Deref<Target = Vec<StateProperty>>,
        now: impl FnOnce() -> (Option<u64>, Time),
    ) {
        let looks_at_all = self.looks_at_all.load(Ordering::Relaxed);
        if !looks_at_all && !self.looks_at_some.load(Ordering::Relaxed) {
            return;
        }
        let (is_covered, changed) = {
            let mut run = self.run.lock();
            if let Some(key) = run.removals.planned(loaded.resource).cloned() {
                run.removed.push(key);
                return;
            }
            let is_covered = !run.uncovered.contains(loaded.resource);
            (is_covered, run.changed.remove(loaded.resource))
        };
        let is_needed = looks_at_all || !is_covered || changed.is_some();
        if !is_needed || loaded.seen.repeats || !has_state(loaded.instance.schema()) {
            return;
        }
        let LoadedResource { resource, declared, instance, sensitive, .. } = *loaded;
        let (run, time) = now();
        let run = run.unwrap_or_default();
        let key = words::applied_key(&self.configuration, resource, instance, sensitive);
        let earlier = self.run.lock().unrecorded(&key);
        let mut properties = properties(loaded, state, || self.secret_key());
        let undeclared = || self.undeclared_content(loaded, state);
        let (is_created, content) = created(changed, earlier, undeclared);
        let own =
            changed.and_then(|changed| Some(UnrecordedChange { is_created, first: (run, changed.action?) }));
        let first_change = earlier.or(own);
        if let Some((name, content)) = content {
            properties.add_missing(name, content);
        }
        let dependencies = declared.dependencies().take(MOST_DEPENDENCIES);
        let record = AppliedResource {
            key,
            address: words::address(resource),
            properties,
            is_created,
            is_left: false,
            on_removal: stored_policy(declared.declaration.meta.on_removal),
            notifies: stored_notifications(&declared.declaration.meta),
            first_previous: first_change.map(|change| change.first),
            run,
            time,
            dependencies: dependencies.map(|id| dependency_digest(&id.to_string())).collect(),
            declared: declaration(loaded),
        };
        let is_changed = changed.is_some() || first_change.is_some();
        let uncovered = if is_covered { 0 } else { hash(&record) };
        let (key, record) = self.sealed(record);
        let found = FoundResource { id: resource.clone(), record, uncovered, is_changed, first_change };
        self.run.lock().found.insert(key, found);
    }

    /// The record as the end of the run needs it: only its line, if no earlier records have to be joined with it.
    fn sealed(&self, record: AppliedResource) -> (ResourceKey, FoundRecord) {
        let number = self.number.load(Ordering::Relaxed);
        if number > 0 {
            let sealed = SealedRecord::new(number, &record);
            (record.key, FoundRecord::Sealed(sealed))
        } else {
            (record.key.clone(), FoundRecord::Whole(Box::new(record)))
        }
    }

    /// The record of content that a new resource got without a declaration.
    fn undeclared_content(
        &self,
        loaded: &LoadedResource<'_>,
        state: &[StateProperty],
    ) -> Option<(String, AppliedProperty)> {
        let property = undeclared_content(state)?;
        let machine = self.run.lock().machine.as_ref().map(|(machine, _)| machine.clone())?;
        let value = load_property(loaded.instance, property, &machine.reading())?;
        let key = if loaded.secret { Some(self.secret_key()?) } else { None };
        let observed = observed(&value, key.as_ref());
        Some((property.to_owned(), AppliedProperty { observed, declared: DeclaredDigest::of("") }))
    }

    /// A resource is as before the run, although it was changed: what an earlier run recorded of it is right.
    pub(super) fn put_back(&self, resource: &ResourceId) {
        self.run.lock().found.retain(|_, found| found.id != *resource);
    }

    fn secret_key(&self) -> Option<SecretKey> {
        self.secret_key.get_or_init(|| self.records.secret_key().ok()).clone()
    }

    /// Why a resource differs.
    pub(super) fn causes(&self, loaded: &LoadedResource<'_>) -> DifferenceCauses {
        let is_drift = self.is_settled.load(Ordering::Relaxed)
            && has_state(loaded.instance.schema())
            && !self.run.lock().uncovered.contains(loaded.resource);
        if is_drift {
            return all(DifferenceCause::Drift, &loaded.seen.differences);
        }
        self.last.causes(loaded)
    }

    /// The positions of differences whose last applied value was a secret.
    pub(super) fn secrets(&self, loaded: &LoadedResource<'_>) -> Vec<usize> {
        self.last.secrets(loaded)
    }

    /// In a watch: the first visits are over.
    pub(super) fn watching(&self) {
        // A resource that was skipped by its condition may never have been as declared.
        let is_settled = self.run.lock().last_set.as_ref().is_some_and(|last| last.set.ends_with(".0"));
        self.is_settled.store(is_settled, Ordering::Relaxed);
    }

    /// Writes what was found. `summary` is that of a run that is over; none if a watch ends. Returns why it could not be
    /// written, if it could not.
    pub(super) fn finish(&self, summary: Option<&Summary>, now: Time) -> Option<Failure> {
        let mut run = self.run.lock();
        let set = run.set(summary, self.looks_at_all.load(Ordering::Relaxed));
        let is_same = run.last_set.as_ref().map(|last| &last.set) == set.as_ref();
        let ended = run.removed.len() + run.removals.forgotten().len();
        if is_same && set.is_some() && ended == 0 && run.found.values().all(|found| !found.is_changed) {
            run.found.clear();
            return None;
        }
        if set.is_none() && run.found.is_empty() && run.declared.is_none() && ended == 0 {
            return None;
        }
        let mut applied = match self.records.applied(now) {
            Ok((applied, _)) => applied,
            Err(failure) => return Some(failure),
        };
        let new = self.update(&mut run, &mut applied);
        let left = applied.of_configuration(&self.configuration).filter(|record| record.is_left);
        let left: Vec<LeftResource> = left.map(LeftResource::from).collect();
        let failure = if new.is_empty() {
            applied.finish(&self.configuration, set.as_deref());
            applied.failure().cloned()
        } else {
            applied.finish_first(&self.configuration, set.as_deref(), &new)
        };
        run.left = with_refusals(left.clone(), &self.configuration, &run.removals);
        run.last_set = set.map(|set| LastSet { set, left });
        run.removals = Arc::default();
        self.looks_at_all.store(run.last_set.is_none(), Ordering::Relaxed);
        self.number.store(0, Ordering::Relaxed);
        self.last.reload();
        failure
    }

    /// Replaces the records of visited resources, and ends those of resources that are gone. Returns the records of a first
    /// run.
    fn update(&self, run: &mut RunValues, applied: &mut Applied) -> Vec<SealedRecord> {
        let declared = run.declared.take();
        let visited: FxHashSet<ResourceKey> =
            declared.iter().flat_map(|_| run.found.keys().cloned()).collect();
        let (mut new, mut addresses) = (Vec::new(), FxHashSet::default());
        for (key, found) in run.found.drain() {
            match found.record {
                FoundRecord::Whole(record) => {
                    addresses.extend(declared.as_ref().map(|_| record.address.clone()));
                    let record = following(*record, applied.get(&key));
                    applied.put(record);
                }
                FoundRecord::Sealed(record) => new.push(record),
            }
        }
        if let Some(declared) = declared {
            let is_outdated = |record: &&AppliedResource| declared.has_other_key(record, &addresses);
            let outdated = applied.of_configuration(&self.configuration).filter(is_outdated);
            let outdated: Vec<ResourceKey> = outdated.map(|record| record.key.clone()).collect();
            outdated.iter().for_each(|key| _ = applied.forget(key));
            update_policies(applied, &self.configuration, &declared, &visited);
            let is_declared = |record: &AppliedResource| {
                visited.contains(&record.key) || declared.contains_after(record, &addresses)
            };
            applied.mark_left(&self.configuration, is_declared);
            forget_removed(applied, &self.configuration);
        }
        for key in run.removed.drain(..).chain(run.removals.forgotten().iter().cloned()) {
            applied.forget(&key);
        }
        if let Some((machine, kinds)) = &run.machine {
            forget_missing(applied, &self.configuration, (machine, kinds), || self.secret_key());
        }
        new
    }
}

/// Whether Uphold created a resource, now or by a change that no record mentions, and the content that it has without a
/// declaration.
fn created(
    changed: Option<BegunChange>,
    earlier: Option<UnrecordedChange>,
    undeclared: impl Fn() -> Option<(String, AppliedProperty)>,
) -> (bool, Option<(String, AppliedProperty)>) {
    if changed.is_some_and(|changed| changed.kind == ChangeKind::Create) {
        return (true, undeclared());
    }
    if !earlier.is_some_and(|change| change.is_created) {
        return (false, None);
    }
    // Another program may have filled it since.
    let content = undeclared();
    (content.as_ref().is_none_or(|(_, one)| one.observed == Observed::of("")), content)
}
