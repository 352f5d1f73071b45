//! The state before a change in the form in which the journal stores it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value as Json;
use uphold_journal::{
    Content, EditedFile, Objects, Previous as StoredPrevious, Recovery, SecretKey, Side, Time,
};
use uphold_model::{Name, PropertySchema, ResourceId, Role, Schema, Value};
use uphold_resource::{Instance, Previous, RecordedState};
use uphold_wire::SavedValue;

/// A longer string of a property is stored as a content of its own, so that it is not escaped twice.
const LONG: usize = 256;

/// A state that is written to the journal.
pub(super) struct StoredState<'a> {
    pub(super) schema: &'static Schema,
    pub(super) resource: &'a ResourceId,
    pub(super) state: &'a RecordedState,
    pub(super) is_secret: bool,
    /// Whether the resource edits a part of a file.
    pub(super) edited: bool,
}

impl StoredState<'_> {
    /// Writes it. Returns the part that may be an object, and the rest.
    ///
    /// # Errors
    /// The reason why it cannot be kept.
    pub(super) fn write(&self, objects: &Objects, now: Time) -> Result<(StoredPrevious, Recovery), String> {
        let Self { resource, state, .. } = self;
        let keep = |content: &[u8]| -> Result<Content, String> {
            let kept =
                objects.keep(content, now).map_err(|failure| format!("{failure}: {}", failure.reason()))?;
            kept.ok_or_else(|| "its previous content is larger than 16 MiB".to_owned())
        };
        let part = |part: Option<&Name>| part.map(ToString::to_string);
        let mut recovery = Recovery {
            name: resource.name.to_string(),
            module: part(resource.module()),
            item: part(resource.key()),
            declared: self.declared(),
            with: self.with(),
            exists: state.exists,
            file: edited_file(&state.previous)?,
            ..Recovery::default()
        };
        if self.edited {
            recovery.values = self.values(None);
            let previous = state.content.as_deref().map(keep).transpose()?;
            return Ok((previous.map_or(StoredPrevious::Missing, StoredPrevious::File), recovery));
        }
        if !state.exists {
            return Ok((StoredPrevious::Missing, recovery));
        }
        match self.longest() {
            Some((property, value)) => {
                recovery.values = self.values(Some(property));
                recovery.property = Some(property.to_owned());
                Ok((StoredPrevious::File(keep(&bytes(value))?), recovery))
            }
            None => {
                let values = serde_json::to_vec(&self.values(None)).map_err(|error| error.to_string())?;
                Ok((StoredPrevious::Values(keep(&values)?), recovery))
            }
        }
    }

    /// The longest string or bytes, if it is too long to be stored beside the others.
    fn longest(&self) -> Option<(&'static str, &Value)> {
        let long = self.kept_values().filter(|(_, value)| match value {
            Value::Text(text) => text.len() > LONG,
            Value::Bytes(_) => true,
            _ => false,
        });
        long.max_by_key(|(_, value)| bytes(value).len())
    }

    fn kept_values(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        let kept = self.state.values.iter().filter(|(name, value)| {
            !self.state.previous.without_properties().contains(name) && !is_hidden(self.schema, name, value)
        });
        kept.map(|(name, value)| (*name, value))
    }

    fn values(&self, except: Option<&str>) -> BTreeMap<String, serde_json::Value> {
        let values = self.kept_values().filter(|(name, _)| Some(*name) != except);
        values.map(|(name, value)| (name.to_owned(), json(value))).collect()
    }

    /// The identity and settings that are not the same without being declared. Of a secret resource only the identity.
    fn declared(&self) -> BTreeMap<String, serde_json::Value> {
        let declared = self.state.declared.iter().filter(|(_, value)| *value != Value::Null);
        let declared = declared.filter_map(|(name, value)| {
            let property = self.schema.property(name)?;
            let is_hidden = is_secret(property, value) || (self.is_secret && property.role == Role::Setting);
            let is_label =
                property.role == Role::Name && *value == Value::Text(self.resource.label().clone());
            let default = || property.default.and_then(|default| default.make().ok());
            let is_kept = !is_hidden && !is_label && default().as_ref() != Some(value);
            is_kept.then(|| ((*name).to_owned(), json(value)))
        });
        declared.collect()
    }

    fn with(&self) -> BTreeMap<String, serde_json::Value> {
        let Previous::Values { with, .. } = &self.state.previous else { return BTreeMap::new() };
        let known = with.iter().filter(|(name, value)| !is_hidden(self.schema, name, value));
        known.map(|(name, value)| ((*name).to_owned(), json(value))).collect()
    }
}

/// The file of which a resource manages a part.
///
/// # Errors
/// If its path cannot be recorded.
pub(super) fn edited_file(previous: &Previous) -> Result<Option<EditedFile>, String> {
    let Previous::Content { path, kind, or_values } = previous else { return Ok(None) };
    let path = path.to_str().ok_or("the path of its file is not UTF-8")?;
    Ok(Some(EditedFile { kind: (*kind).to_owned(), path: path.to_owned(), or_values: *or_values }))
}

/// Whether a value is not kept because it is a secret.
pub(super) fn is_hidden(schema: &Schema, name: &str, value: &Value) -> bool {
    schema.property(name).is_none_or(|property| is_secret(property, value))
}

// Values of properties in the journal.

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
    property.role == Role::EnforcedState || instance.value(property.name, None).is_some()
}
