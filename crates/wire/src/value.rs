//! Values without secrets.

use std::sync::Arc;

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;
use uphold_model::{Name, ResourceId, SENSITIVE, Unknown, Value as Model};

/// A value that may be shown and written.
///
/// `From<&uphold_model::Value>` hides secrets. In JSON, hidden and unknown values are null, with a flag beside them; [`SavedValue`](crate::SavedValue) is the form that can be read back.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Null.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    Text(Name),
    /// Bytes that are not UTF-8.
    Bytes(Arc<[u8]>),
    /// A list.
    List(Vec<Value>),
    /// An object, by key.
    Map(Vec<(Name, Value)>),
    /// A resource.
    Reference(Arc<ResourceId>),
    /// Unknown until apply.
    Unknown(Arc<Unknown>),
    /// A secret, with its first unknown part if it has one.
    Hidden(Option<Arc<Unknown>>),
}

impl Value {
    /// Whether any of it is secret.
    pub fn is_hidden(&self) -> bool {
        match self {
            Value::Hidden(_) => true,
            Value::List(items) => items.iter().any(Value::is_hidden),
            Value::Map(members) => members.iter().any(|(_, value)| value.is_hidden()),
            _ => false,
        }
    }

    /// Replaces secrets with a placeholder for people.
    #[must_use]
    pub fn with_words(self) -> Self {
        match self {
            Value::Hidden(_) => Value::Text(SENSITIVE.into()),
            Value::List(items) => Value::List(items.into_iter().map(Value::with_words).collect()),
            Value::Map(members) => {
                Value::Map(members.into_iter().map(|(key, value)| (key, value.with_words())).collect())
            }
            plain => plain,
        }
    }

    /// Whether any of it is unknown.
    pub fn is_unknown(&self) -> bool {
        match self {
            Value::Unknown(_) | Value::Hidden(Some(_)) => true,
            Value::List(items) => items.iter().any(Value::is_unknown),
            Value::Map(members) => members.iter().any(|(_, value)| value.is_unknown()),
            _ => false,
        }
    }
}

impl From<&Model> for Value {
    fn from(value: &Model) -> Self {
        match value {
            Model::Null => Value::Null,
            Model::Bool(bool) => Value::Bool(*bool),
            Model::Int(int) => Value::Int(*int),
            Model::Float(float) => Value::Float(*float),
            Model::Text(text) => Value::Text(text.clone()),
            Model::Bytes(bytes) => Value::Bytes(bytes.clone()),
            Model::List(items) => Value::List(items.iter().map(Value::from).collect()),
            Model::Map(map) => {
                Value::Map(map.iter().map(|(key, value)| (key.clone(), value.into())).collect())
            }
            Model::Reference(id) => Value::Reference(id.clone()),
            Model::Unknown(unknown) => Value::Unknown(unknown.clone()),
            Model::Sensitive(inner) => Value::Hidden(inner.first_unknown().cloned().map(Arc::new)),
        }
    }
}

/// A secret becomes a sensitive null.
impl From<&Value> for Model {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Model::Null,
            Value::Bool(bool) => Model::Bool(*bool),
            Value::Int(int) => Model::Int(*int),
            Value::Float(float) => Model::Float(*float),
            Value::Text(text) => Model::Text(text.clone()),
            Value::Bytes(bytes) => Model::Bytes(bytes.clone()),
            Value::List(items) => Model::list(items.iter().map(Model::from)),
            Value::Map(members) => Model::map(members.iter().map(|(key, value)| (key.clone(), value.into()))),
            Value::Reference(id) => Model::Reference(id.clone()),
            Value::Unknown(unknown) => Model::Unknown(unknown.clone()),
            Value::Hidden(None) => Model::Null.sensitive(),
            Value::Hidden(Some(unknown)) => Model::Unknown(unknown.clone()).sensitive(),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null | Value::Unknown(_) | Value::Hidden(_) => to.serialize_unit(),
            Value::Bool(bool) => to.serialize_bool(*bool),
            Value::Int(int) => to.serialize_i64(*int),
            Value::Float(float) => to.serialize_f64(*float),
            Value::Text(text) => to.serialize_str(text),
            Value::Bytes(bytes) => {
                let mut map = to.serialize_map(Some(1))?;
                map.serialize_entry("hex", &encode(bytes))?;
                map.end()
            }
            Value::List(items) => {
                let mut list = to.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Value::Map(members) => to.collect_map(members.iter().map(|(key, value)| (&**key, value))),
            Value::Reference(id) => to.collect_str(id),
        }
    }
}

/// Plain JSON: bytes become an object, resources a string, and hidden values null.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Json::deserialize(from).map(plain)
    }
}

fn plain(json: Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(bool) => Value::Bool(bool),
        Json::Number(number) => match number.as_i64() {
            Some(int) => Value::Int(int),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::Text(text.into()),
        Json::Array(items) => Value::List(items.into_iter().map(plain).collect()),
        Json::Object(members) => {
            Value::Map(members.into_iter().map(|(key, value)| (key.into(), plain(value))).collect())
        }
    }
}

// Hexadecimal encoding.

/// Two lower-case digits for each byte.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from(b"0123456789abcdef"[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The reverse of [`encode`].
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let nibble = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    rest.is_empty()
        .then(|| pairs.iter().map(|[high, low]| Some(nibble(*high)? << 4 | nibble(*low)?)).collect())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_json() {
        let check = |from: Model, expected: &str| {
            assert_eq!(serde_json::to_string(&Value::from(&from)).expect("JSON"), expected);
        };
        check(Model::Int(-1), "-1");
        check(Model::Float(0.5), "0.5");
        check(Model::Float(f64::NAN), "null");
        check(Model::Bytes(vec![0, 0xfe].into()), r#"{"hex":"00fe"}"#);
        check(Model::map([("a", Model::list([Model::Bool(true), Model::Null]))]), r#"{"a":[true,null]}"#);
        check(Model::Reference(ResourceId::new("file", "/x").into()), r#""file[\"/x\"]""#);
        check(Model::text("hunter2").sensitive(), "null");
        check(Model::unknown("task.a"), "null");
    }

    #[test]
    fn secrets_are_removed_by_the_conversion() {
        let secret = Model::map([("a", Model::list([Model::text("hunter2").sensitive()]))]);
        let value = Value::from(&secret);
        assert!(value.is_hidden() && !value.is_unknown());
        assert!(!format!("{value:?}").contains("hunter2"));
        let back = Model::from(&value);
        assert_eq!(back, Model::map([("a", Model::list([Model::Null.sensitive()]))]));
        let later = Value::from(&Model::list([Model::text("hunter2"), Model::unknown("task.a")]).sensitive());
        assert!(later.is_hidden() && later.is_unknown());
    }
}
