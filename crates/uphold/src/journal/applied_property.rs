//! The values of a resource as they are stored after an apply.

use std::borrow::Cow;

use data_encoding::HEXLOWER;
use uphold_engine::LoadedResource;
use uphold_journal::{
    AppliedProperties, AppliedProperty, AppliedResource, DeclaredDigest, Observed, SecretKey,
};
use uphold_model::{PropertySchema, Schema, Type, Value};
use uphold_resource::{Desired, Instance, Look, Reading};

/// The only property of a resource that was removed: no property has an empty name.
const ABSENT: &str = "";

/// Whether a resource was removed by its declaration.
pub(super) fn is_absent(record: &AppliedResource) -> bool {
    record.properties.contains(ABSENT)
}

/// Whether a kind has anything to compare: tasks, queries and assertions have not.
pub(super) fn has_state(schema: &Schema) -> bool {
    schema.removable || schema.find(&|property| property.role.is_state()).is_some()
}

/// A state property of a resource that was loaded. Both values are made once for all records of a visit.
pub(super) struct StateProperty {
    pub(super) schema: &'static PropertySchema,
    pub(super) declared: Option<Value>,
    pub(super) observed: Option<Value>,
}

/// The state properties of a resource.
pub(super) fn state_properties(loaded: &LoadedResource<'_>) -> Vec<StateProperty> {
    let all = loaded.instance.schema().all().into_iter().filter(|property| property.role.is_state());
    all.map(|property| state_property(loaded, property)).collect()
}

fn state_property(loaded: &LoadedResource<'_>, schema: &'static PropertySchema) -> StateProperty {
    let value = |seen| loaded.instance.value(schema.name, seen);
    StateProperty { schema, declared: value(None), observed: value(Some(loaded.seen)) }
}

/// The declared properties of a resource that is as declared.
pub(super) fn properties(
    loaded: &LoadedResource<'_>,
    state: &[StateProperty],
    key: impl Fn() -> Option<SecretKey>,
) -> AppliedProperties {
    if loaded.seen.desired == Desired::Absent {
        let absent =
            AppliedProperty { observed: Observed::of("absent"), declared: DeclaredDigest::of("absent") };
        return [(ABSENT, absent)].into_iter().collect();
    }
    let stored = state.iter().filter_map(|property| {
        let stored = stored_property(loaded, property, &key)?;
        Some((property.schema.name, stored))
    });
    stored.collect()
}

/// A property as it was observed and declared. None if it is not declared, or cannot be stored.
pub(super) fn applied_property(
    loaded: &LoadedResource<'_>,
    property: &str,
    key: impl Fn() -> Option<SecretKey>,
) -> Option<AppliedProperty> {
    stored_property(loaded, &state_property(loaded, loaded.instance.schema().property(property)?), &key)
}

fn stored_property(
    loaded: &LoadedResource<'_>,
    property: &StateProperty,
    key: &impl Fn() -> Option<SecretKey>,
) -> Option<AppliedProperty> {
    let (declared, observed) =
        (property.declared.as_ref()?, property.observed.as_ref().unwrap_or(&Value::Null));
    if declared.is_unknown() || observed.is_unknown() {
        return None;
    }
    let is_secret = loaded.secret || declared.is_sensitive() || observed.is_sensitive();
    let (declared, observed) = (text(declared), text(observed));
    Some(if is_secret {
        let key = key()?;
        AppliedProperty {
            observed: Observed::secret(&key, observed.as_bytes()),
            declared: DeclaredDigest::secret(&key, declared.as_bytes()),
        }
    } else {
        AppliedProperty { observed: Observed::of(&observed), declared: DeclaredDigest::of(&declared) }
    })
}

/// The property of content that a new resource got without a declaration, such as that of an empty file. It is recorded
/// because other programs fill the file: then its removal would lose their data.
pub(super) fn undeclared_content(state: &[StateProperty]) -> Option<&'static str> {
    let is_content =
        |property: &&StateProperty| matches!(property.schema.ty, Type::Bytes) && property.declared.is_none();
    state.iter().find(is_content).map(|property| property.schema.name)
}

/// The present value of a property, even if it is not declared.
pub(super) fn load_property(instance: &dyn Instance, property: &str, host: &Reading<'_>) -> Option<Value> {
    let seen = instance.look(&Look::to_read(host).needing(&|name: &str| name == property)).ok()?;
    instance.value(property, Some(&seen))
}

/// An observed value as it is stored; with a key, as a secret.
pub(super) fn observed(value: &Value, key: Option<&SecretKey>) -> Observed {
    match key {
        Some(key) => Observed::secret(key, text(value).as_bytes()),
        None => Observed::of(&text(value)),
    }
}

/// The value of a stored text. Numbers and truth values were stored as JSON, strings as they are.
pub(super) fn value_of_text(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(serde_json::Value::Bool(value)) => Value::Bool(value),
        Ok(serde_json::Value::Number(number)) if number.is_i64() => {
            number.as_i64().map_or(Value::Null, Value::Int)
        }
        _ => Value::text(text),
    }
}

/// A whole value, secrets included. Recurses into members, whose nesting is limited where they are written.
fn text(value: &Value) -> Cow<'_, str> {
    Cow::Owned(match value.reveal() {
        Value::Text(text) => return Cow::Borrowed(text),
        Value::Bytes(bytes) => HEXLOWER.encode(bytes),
        Value::List(items) => items.iter().map(|item| format!("{:?},", text(item))).collect(),
        Value::Map(map) => map.iter().map(|(name, item)| format!("{name:?}={:?},", text(item))).collect(),
        other => other.to_string(),
    })
}
