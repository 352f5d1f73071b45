//! Records the last applied values of a run.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_engine::{ChangeKind, LoadedResource, Program, Summary};
use uphold_journal::{
    Applied, AppliedProperty, AppliedResource, DeclaredDigest, Failure, LastSet, LeftResource, Observed,
    Records, ResourceKey, SealedRecord, SecretKey, Time, dependency_digest,
};
use uphold_model::{DifferenceCause, DifferenceCauses, Mutex, ResourceId};
use uphold_resource::{Machine, Registry};

use super::applied_declaration::declaration;
use super::applied_property::{has_state, observed, properties, undeclared_content};
use super::applied_record::{
    following, forget_missing, forget_removed, hash, stored_policy, update_policies,
};
use super::drift::{LastApplied, all};
use super::left::{DeclaredKeys, DeclaredResources, left, same_set, start_of_set, with_refusals};
use super::removal::Removals;
use super::unfinished::{UnfinishedChange, unfinished_changes};
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
    /// Whether an earlier run left a record.
    has_records: AtomicBool,
    /// In a watch: every resource was as declared, so that a difference is drift.
    is_settled: AtomicBool,
    run: Mutex<RunValues>,
}

#[derive(Default)]
struct RunValues {
    /// The start of the digest of the declared set.
    start_of_set: String,
    /// The set, if it was applied before.
    last_set: Option<LastSet>,
    /// Resources that are looked at in any case.
    uncovered: FxHashSet<ResourceId>,
    /// The declared resources, if those that are no longer declared have to be found.
    declared: Option<DeclaredKeys>,
    /// Whether the run visits every resource.
    is_whole: bool,
    /// The changes of killed runs, whose records are missing.
    unfinished: FxHashMap<ResourceKey, UnfinishedChange>,
    changed: FxHashMap<ResourceId, BegunChange>,
    found: FxHashMap<ResourceKey, FoundResource>,
    /// The resources that are no longer declared, and what the run does with them.
    removals: Arc<Removals>,
    /// The records of removals that were made.
    removed: Vec<ResourceKey>,
    /// Where resources that are no longer declared are looked for after the run.
    machine: Option<(Machine, Registry)>,
    /// The resources that are no longer declared, as of the last run.
    left: Vec<LeftResource>,
}

/// A change of a resource, and the number of its action in the run.
#[derive(Clone, Copy)]
pub(super) struct BegunChange {
    pub(super) kind: ChangeKind,
    pub(super) action: Option<u64>,
}

/// A resource that is as declared.
struct FoundResource {
    id: ResourceId,
    record: FoundRecord,
    /// The hash of values that the digest of the set does not cover; else 0.
    uncovered: u64,
    /// Whether this run changed it: then its record is written even if the digest stays the same.
    is_changed: bool,
}

enum FoundRecord {
    /// A record that may have to be joined with the last one.
    Whole(Box<AppliedResource>),
    /// The first record.
    Sealed(SealedRecord),
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
            has_records: AtomicBool::new(true),
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
                let has_one =
                    |applied: &Applied| applied.of_configuration(&self.configuration).next().is_some();
                has_records = applied.as_ref().is_none_or(has_one);
                if let (Some(applied), false) = (&applied, has_records) {
                    number = applied.number_of(&self.configuration);
                }
                // Without a record, nothing can be left.
                declared = has_records.then(|| DeclaredResources::of(program).keys());
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
        self.has_records.store(has_records, Ordering::Relaxed);
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

    /// Whether a resource is removed or reverted, because it is no longer declared.
    pub(super) fn is_removal(&self, resource: &ResourceId) -> bool {
        self.run.lock().removals.planned(resource).is_some()
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

    /// A resource is as declared.
    pub(super) fn converged(&self, loaded: &LoadedResource<'_>, now: impl FnOnce() -> (Option<u64>, Time)) {
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
            (!run.uncovered.contains(loaded.resource), run.changed.remove(loaded.resource))
        };
        let is_needed = looks_at_all || !is_covered || changed.is_some();
        if !is_needed || loaded.seen.repeats || !has_state(loaded.instance.schema()) {
            return;
        }
        let LoadedResource { resource, declared, instance, sensitive, .. } = *loaded;
        let (run, time) = now();
        let run = run.unwrap_or_default();
        let key = words::applied_key(&self.configuration, resource, instance, sensitive);
        let unfinished = self.run.lock().unfinished.get(&key).copied();
        let own_previous = changed.and_then(|changed| Some((run, changed.action?)));
        let mut properties = properties(loaded, || self.secret_key());
        let (is_created, content) = self.created(loaded, changed, unfinished);
        properties.extend(content);
        let dependencies = declared.dependencies().take(MOST_DEPENDENCIES);
        let record = AppliedResource {
            key,
            address: resource.to_string(),
            properties,
            is_created,
            is_left: false,
            on_removal: stored_policy(declared.declaration.meta.on_removal),
            first_previous: unfinished.map(|change| change.first).or(own_previous),
            run,
            time,
            dependencies: dependencies.map(|id| dependency_digest(&id.to_string())).collect(),
            declared: declaration(loaded),
        };
        let (key, is_changed) = (record.key.clone(), changed.is_some());
        let number = self.number.load(Ordering::Relaxed);
        let uncovered = if is_covered { 0 } else { hash(&record) };
        let sealed = if number > 0 { SealedRecord::new(number, &record) } else { None };
        let record = sealed.map_or_else(|| FoundRecord::Whole(Box::new(record)), FoundRecord::Sealed);
        self.run
            .lock()
            .found
            .insert(key, FoundResource { id: resource.clone(), record, uncovered, is_changed });
    }

    /// Whether Uphold created a resource, now or in a run that was killed, and the content that it has without a declaration.
    fn created(
        &self,
        loaded: &LoadedResource<'_>,
        changed: Option<BegunChange>,
        unfinished: Option<UnfinishedChange>,
    ) -> (bool, Option<(String, AppliedProperty)>) {
        if changed.is_some_and(|changed| changed.kind == ChangeKind::Create) {
            return (true, self.undeclared_content(loaded));
        }
        if !unfinished.is_some_and(|change| change.is_created) {
            return (false, None);
        }
        // Another program may have filled it since.
        let content = self.undeclared_content(loaded);
        (content.as_ref().is_none_or(|(_, one)| one.observed == Observed::of("")), content)
    }

    /// The record of content that a new resource got without a declaration.
    fn undeclared_content(&self, loaded: &LoadedResource<'_>) -> Option<(String, AppliedProperty)> {
        let machine = self.run.lock().machine.as_ref().map(|(machine, _)| machine.clone())?;
        let (name, value) = undeclared_content(loaded.instance, &machine.reading())?;
        let key = if loaded.secret { Some(self.secret_key()?) } else { None };
        let observed = observed(&value, key.as_ref());
        Some((name.to_owned(), AppliedProperty { observed, declared: DeclaredDigest::of("") }))
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
        if !self.has_records.load(Ordering::Relaxed) {
            return DifferenceCauses::default();
        }
        self.last.causes(loaded)
    }

    /// The positions of differences whose last applied value was a secret.
    pub(super) fn secrets(&self, loaded: &LoadedResource<'_>) -> Vec<usize> {
        if self.has_records.load(Ordering::Relaxed) { self.last.secrets(loaded) } else { Vec::new() }
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
            applied.finish_first(&self.configuration, set.as_deref(), new)
        };
        run.left = with_refusals(left.clone(), &self.configuration, &run.removals);
        run.last_set = set.map(|set| LastSet { set, left });
        run.removals = Arc::default();
        self.looks_at_all.store(run.last_set.is_none(), Ordering::Relaxed);
        self.number.store(0, Ordering::Relaxed);
        self.has_records.store(true, Ordering::Relaxed);
        self.last.reload();
        failure
    }

    /// Replaces the records of visited resources, and ends those of resources that are gone. Returns the records of a first
    /// run.
    fn update(&self, run: &mut RunValues, applied: &mut Applied) -> Vec<(ResourceKey, SealedRecord)> {
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
                FoundRecord::Sealed(record) => new.push((key, record)),
            }
        }
        if let Some(declared) = declared {
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

impl RunValues {
    /// The set that is applied completely now; none if resources are left that were not looked at.
    fn set(&self, summary: Option<&Summary>, looks_at_all: bool) -> Option<String> {
        let last = self.last_set.as_ref().map(|last| last.set.clone());
        let complete = summary.filter(|summary| {
            self.is_whole && summary.failed == 0 && summary.skipped == 0 && summary.ignored == 0
        });
        let Some(Summary { not_wanted, differ, .. }) = complete else {
            return last.filter(|_| !looks_at_all);
        };
        let uncovered = self.found.values().fold(0_u64, |sum, found| sum.wrapping_add(found.uncovered));
        let other = not_wanted + differ;
        let set = format!("{}{uncovered:016x}.{other}", self.start_of_set);
        // With another number of skipped resources, one that has no record may have been visited.
        let is_known = looks_at_all || last.is_none_or(|last| last.ends_with(&format!(".{other}")));
        is_known.then_some(set)
    }
}
