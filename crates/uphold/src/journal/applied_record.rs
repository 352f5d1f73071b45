//! Records of applied resources, and how they follow one another.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};
use serde_json::Value as Json;
use uphold_engine::LoadedResource;
use uphold_journal::{Applied, AppliedNotification, AppliedResource, ResourceKey, SecretKey};
use uphold_model::{Meta, OnRemoval, PropertySchema, Role, Schema, Type, Value};
use uphold_resource::{Desired, Machine, Observation, Registry};

use super::applied_property::is_absent;
use super::left::DeclaredKeys;
use super::removal::Redeclared;
use super::stored_state::{is_secret, json};

/// The policy of a declaration as it is stored: none if the resource is kept.
pub(super) fn stored_policy(on_removal: OnRemoval) -> Option<String> {
    (on_removal != OnRemoval::Keep).then(|| on_removal.word().to_owned())
}

/// The notifications of a declaration as they are stored.
pub(super) fn stored_notifications(meta: &Meta) -> Vec<AppliedNotification> {
    let declared = meta.handling.iter().flat_map(|handling| &handling.notifies);
    let stored = declared.map(|one| AppliedNotification {
        target: one.other.target.to_string(),
        action: one.action.word().to_owned(),
        moment: one.moment.word().to_owned(),
    });
    stored.collect()
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
    for (name, property) in last.properties.iter() {
        properties.add_missing(name.to_owned(), property.clone().undeclared());
    }
    AppliedResource {
        properties,
        is_created: record.is_created || last.is_created,
        first_previous: last.first_previous.or(record.first_previous),
        ..record
    }
}

// The part of a declaration that its removal needs, when only the record is left of it.

/// A shorter string is stored as the observed value.
const SHORT: usize = 64;
/// A longer string identifies nothing.
const LONG: usize = 1024;

/// Identity and settings that are not the same without being declared, and longer strings that identify a part of a file, such
/// as a line.
pub(super) fn declaration(loaded: &LoadedResource<'_>) -> BTreeMap<String, Json> {
    // A resource that was removed by its declaration is not removed again, and need not be complete.
    if loaded.sensitive || loaded.seen.desired == Desired::Absent {
        return BTreeMap::new();
    }
    let (schema, instance) = (loaded.instance.schema(), loaded.instance);
    let label = loaded.resource.label();
    let is_path = is_named_by_path(schema);
    // A setting of the creation, such as `recursive` of a directory, is not one of the removal.
    let created = instance.previous(&Observation::missing());
    let without = created.without_properties();
    // Most properties are a state, an export or such a setting, and need not even be asked for.
    let may_be_needed = |property: &&PropertySchema| match property.role {
        Role::Name | Role::Identity | Role::Setting => !without.contains(&property.name),
        Role::State | Role::EnforcedState => !is_path && !loaded.secret && !without.contains(&property.name),
        Role::Export => false,
    };
    let stored = schema.all().into_iter().filter(may_be_needed).filter_map(|property| {
        let value = instance.value(property.name, None)?;
        let is_hidden = is_secret(property, &value) || (loaded.secret && property.role == Role::Setting);
        let is_needed = match property.role {
            Role::Name => value != Value::Text(label.clone()),
            Role::Identity | Role::Setting => !is_default(property, &value),
            _ => matches!(&value, Value::Text(text) if is_long(text)),
        };
        let is_stored = is_needed && !is_hidden && value != Value::Null && value.first_unknown().is_none();
        is_stored.then(|| (property.name.to_owned(), json(&value)))
    });
    stored.collect()
}

/// Whether the identity and the settings of a resource are those of its record, as far as they are known.
pub(super) fn has_same_settings(last: &AppliedResource, loaded: &LoadedResource<'_>) -> bool {
    let now = declaration(loaded);
    let schema = loaded.instance.schema();
    let is_setting = |name: &str| {
        schema.property(name).is_some_and(|one| matches!(one.role, Role::Identity | Role::Setting))
    };
    let is_unknown =
        |name: &str| loaded.instance.value(name, None).is_some_and(|value| value.first_unknown().is_some());
    let mut names = now.keys().chain(last.declared.keys()).filter(|name| is_setting(name));
    names.all(|name| now.get(name) == last.declared.get(name) || is_unknown(name))
}

fn is_long(text: &str) -> bool {
    (SHORT + 1..=LONG).contains(&text.len())
}

fn is_default(property: &PropertySchema, value: &Value) -> bool {
    property.default.and_then(|default| default.make().ok()).as_ref() == Some(value)
}

/// Whether the name of a resource is its path: then no other property is needed to remove it.
pub(super) fn is_named_by_path(schema: &Schema) -> bool {
    let is_path = |property: &PropertySchema| {
        property.role == Role::Name && matches!(property.ty, Type::Named { name: "path", .. })
    };
    schema.find(&is_path).is_some()
}
