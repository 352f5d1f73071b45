//! The part of a declaration that its removal needs, when only the record is left of it.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use uphold_engine::LoadedResource;
use uphold_journal::AppliedResource;
use uphold_model::{PropertySchema, Role, Schema, Type, Value};
use uphold_resource::{Desired, Observation};

use super::stored_value::{is_secret, json};

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
    let stored = schema.all().into_iter().filter_map(|property| {
        let value = instance.value(property.name, None)?;
        let is_hidden = is_secret(property, &value) || (loaded.secret && property.role == Role::Setting);
        let is_needed = match property.role {
            Role::Name => value != Value::Text(label.clone()),
            Role::Identity | Role::Setting => !is_default(property, &value),
            Role::State | Role::EnforcedState => {
                !is_path && !loaded.secret && matches!(&value, Value::Text(text) if is_long(text))
            }
            Role::Export => false,
        };
        let is_stored = is_needed && !is_hidden && value != Value::Null && value.first_unknown().is_none();
        is_stored.then(|| (property.name.to_owned(), json(&value)))
    });
    let mut stored: BTreeMap<String, Json> = stored.collect();
    if !stored.is_empty() {
        // A setting of the creation, such as `recursive` of a directory, is not one of the removal.
        let created = instance.previous(&Observation::missing());
        stored.retain(|name, _| !created.without_properties().contains(&&**name));
    }
    stored
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
    schema.all().iter().any(|property| {
        property.role == Role::Name && matches!(property.ty, Type::Named { name: "path", .. })
    })
}
