//! Records of applied resources, and how they follow one another.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};
use uphold_journal::{Applied, AppliedResource, ResourceKey, SecretKey};
use uphold_model::OnRemoval;
use uphold_resource::{Machine, Registry};

use super::applied_property::is_absent;
use super::left::DeclaredKeys;
use super::removal::Redeclared;

/// The policy of a declaration as it is stored: none if the resource is kept.
pub(super) fn stored_policy(on_removal: OnRemoval) -> Option<String> {
    (on_removal != OnRemoval::Keep).then(|| on_removal.word().to_owned())
}

/// Sets the policies of resources that are declared, but were not as declared in this run: the last declaration counts.
pub(super) fn update_policies(
    applied: &mut Applied,
    configuration: &str,
    declared: &DeclaredKeys,
    visited: &FxHashSet<ResourceKey>,
) {
    let unvisited = applied.of_configuration(configuration).filter(|record| !visited.contains(&record.key));
    let outdated = unvisited.filter_map(|record| {
        let on_removal = stored_policy(declared.on_removal(record)?);
        (record.on_removal != on_removal).then(|| AppliedResource { on_removal, ..record.clone() })
    });
    let outdated: Vec<AppliedResource> = outdated.collect();
    outdated.into_iter().for_each(|record| applied.put(record));
}

/// The hash of a record that the digest of its set does not cover.
pub(super) fn hash(record: &AppliedResource) -> u64 {
    let mut hasher = FxHasher::default();
    (&record.key, format!("{:?}", record.properties)).hash(&mut hasher);
    hasher.finish()
}

/// Forgets resources that were removed by their declaration, and are no longer declared: nothing is left of them.
pub(super) fn forget_removed(applied: &mut Applied, configuration: &str) {
    let removed =
        applied.of_configuration(configuration).filter(|record| record.is_left && is_absent(record));
    let removed: Vec<ResourceKey> = removed.map(|record| record.key.clone()).collect();
    removed.iter().for_each(|key| _ = applied.forget(key));
}

/// Forgets resources that are no longer declared, and that something else has removed, such as the purge of a directory.
pub(super) fn forget_missing(
    applied: &mut Applied,
    configuration: &str,
    (machine, kinds): (&Machine, &Registry),
    key: impl Fn() -> Option<SecretKey>,
) {
    let is_missing = |record: &&AppliedResource| {
        matches!(Redeclared::load(record, kinds, &machine.reading(), &key), Ok(None))
    };
    let missing = applied.of_configuration(configuration).filter(|record| record.is_left);
    let missing: Vec<ResourceKey> = missing.filter(is_missing).map(|record| record.key.clone()).collect();
    missing.iter().for_each(|key| _ = applied.forget(key));
}

/// The new record of a resource: facts about its first apply are kept, and so are values that are no longer declared, because a
/// removal must not lose a later change of them.
pub(super) fn following(record: AppliedResource, last: Option<&AppliedResource>) -> AppliedResource {
    let Some(last) = last.filter(|last| !is_absent(last)) else { return record };
    let mut properties = record.properties;
    for (name, property) in &last.properties {
        properties.entry(name.clone()).or_insert_with(|| property.clone().undeclared());
    }
    AppliedResource {
        properties,
        is_created: record.is_created || last.is_created,
        first_previous: last.first_previous.or(record.first_previous),
        ..record
    }
}
