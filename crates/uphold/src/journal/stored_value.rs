//! Values of properties in the journal.

use std::borrow::Cow;

use serde_json::Value as Json;
use uphold_journal::{SecretKey, Side};
use uphold_model::{PropertySchema, Value};
use uphold_resource::Instance;
use uphold_wire::SavedValue;

/// A value that is no secret, in a form that can be read back.
pub(super) fn json(value: &Value) -> Json {
    serde_json::to_value(SavedValue(value.into())).unwrap_or_default()
}

/// The reverse; none if it cannot be read.
pub(super) fn value(json: &Json) -> Option<Value> {
    let saved: SavedValue = serde_json::from_value(json.clone()).ok()?;
    Some(Value::from(&saved.0))
}

/// A string or bytes as they are, anything else as JSON: the content of a file has one form, however it is loaded.
pub(super) fn bytes(value: &Value) -> Cow<'_, [u8]> {
    match value.reveal() {
        Value::Text(text) => Cow::Borrowed(text.as_bytes()),
        Value::Bytes(bytes) => Cow::Borrowed(bytes),
        other => Cow::Owned(json(other).to_string().into_bytes()),
    }
}

/// A value that is only compared.
pub(super) fn side(value: Option<&Value>, secret: Option<&SecretKey>) -> Side {
    match (value, secret) {
        (None, _) => Side::Absent,
        (Some(value), Some(key)) => Side::secret(key, &bytes(value)),
        (Some(value), None) => Side::of_bytes(&bytes(value)),
    }
}

/// Whether a property is a secret by its type, or this value of it is one.
pub(super) fn is_secret(property: &PropertySchema, value: &Value) -> bool {
    property.ty.is_secret() || value.is_sensitive()
}

/// Whether a state property is compared, because it is set or enforced.
pub(super) fn is_compared(property: &PropertySchema, instance: &dyn Instance) -> bool {
    property.role == uphold_model::Role::EnforcedState || instance.value(property.name, None).is_some()
}
