//! Values in a form that can be read back.

use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map as Object, Number, Value as Json, json};
use uphold_model::{ResourceId, Shape, Unknown};

use super::value;
use crate::object::Resource;
use crate::value::Value;

/// A value in a form that can be read back. Values that JSON does not have are objects with a `$` member; a key that
/// begins with `$` is escaped by another one.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedValue(pub Value);

/// `serde_json` reads at most 128 levels, and a value may have more: deeper levels are nested as JSON text.
const LEVELS: usize = 64;

/// How often text may be nested: no value has more levels.
const DEEPEST: usize = 8;

/// The names of the shapes.
const SHAPES: [(&str, Shape); 6] = [
    ("bool", Shape::Bool),
    ("number", Shape::Number),
    ("text", Shape::Text),
    ("bytes", Shape::Bytes),
    ("list", Shape::List),
    ("map", Shape::Map),
];

impl Serialize for SavedValue {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        write(&self.0, 0).serialize(to)
    }
}

impl<'de> Deserialize<'de> for SavedValue {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read(Json::deserialize(from)?, 0).map(Self).map_err(D::Error::custom)
    }
}

fn write(value: &Value, level: usize) -> Json {
    match value {
        Value::List(_) | Value::Map(_) if level == LEVELS => json!({ "$json": write(value, 0).to_string() }),
        Value::List(items) => items.iter().map(|item| write(item, level + 1)).collect(),
        Value::Map(members) => {
            let written = members.iter().map(|(key, value)| (escaped(key), write(value, level + 1)));
            Json::Object(written.collect::<Object<_, _>>())
        }
        Value::Null => Json::Null,
        Value::Bool(bool) => Json::Bool(*bool),
        Value::Int(int) => Json::from(*int),
        Value::Float(float) => match Number::from_f64(*float) {
            Some(number) => json!({ "$float": number }),
            None => json!({ "$float": float.to_string() }),
        },
        Value::Text(text) => Json::from(&**text),
        Value::Bytes(bytes) => json!({ "$bytes": value::encode(bytes) }),
        Value::Reference(id) => json!({ "$resource": Resource::from(&**id) }),
        Value::Hidden(Some(unknown)) => json!({ "$secret": true, "$unknown": &*unknown.waits_for }),
        Value::Hidden(None) => json!({ "$secret": true }),
        Value::Unknown(unknown) => {
            let shape = SHAPES.iter().find(|(_, shape)| Some(*shape) == unknown.shape);
            json!({ "$unknown": &*unknown.waits_for, "$shape": shape.map(|(word, _)| *word) })
        }
    }
}

fn escaped(key: &str) -> String {
    if key.starts_with('$') { format!("${key}") } else { key.to_owned() }
}

/// `serde_json` limits the recursion.
fn read(json: Json, unpacked: usize) -> Result<Value, String> {
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(bool) => Value::Bool(bool),
        Json::Number(number) => Value::Int(number.as_i64().ok_or("a number is too large")?),
        Json::String(text) => Value::Text(text.into()),
        Json::Array(items) => {
            Value::List(items.into_iter().map(|item| read(item, unpacked)).collect::<Result<_, _>>()?)
        }
        Json::Object(members) => {
            if members.keys().any(|key| key.starts_with('$') && !key.starts_with("$$")) {
                let json = serde_json::from_value(Json::Object(members));
                return tagged(json.map_err(|error| error.to_string())?, unpacked);
            }
            let plain = |key: String| key.strip_prefix('$').unwrap_or(&key).into();
            let read = members.into_iter().map(|(key, value)| Ok((plain(key), read(value, unpacked)?)));
            Value::Map(read.collect::<Result<_, String>>()?)
        }
    })
}

/// A value that JSON does not have.
#[derive(Deserialize)]
struct Tagged {
    #[serde(rename = "$float")]
    float: Option<Json>,
    #[serde(rename = "$json")]
    json: Option<String>,
    #[serde(rename = "$bytes")]
    bytes: Option<String>,
    #[serde(rename = "$resource")]
    resource: Option<Resource>,
    #[serde(rename = "$unknown")]
    unknown: Option<String>,
    #[serde(rename = "$shape")]
    shape: Option<String>,
    #[serde(rename = "$secret")]
    secret: Option<bool>,
}

fn tagged(tagged: Tagged, unpacked: usize) -> Result<Value, String> {
    if let Some(float) = tagged.float {
        let number = float.as_f64().or_else(|| float.as_str()?.parse().ok());
        return number.map(Value::Float).ok_or_else(|| "a number cannot be read".to_owned());
    }
    if let Some(text) = tagged.json {
        let inner = serde_json::from_str(&text).ok().filter(|_| unpacked < DEEPEST);
        return read(inner.ok_or("a nested value cannot be read")?, unpacked + 1);
    }
    if let Some(text) = tagged.bytes {
        return value::decode(&text)
            .map(|bytes| Value::Bytes(bytes.into()))
            .ok_or_else(|| "bytes cannot be read".to_owned());
    }
    if let Some(resource) = tagged.resource {
        return Ok(Value::Reference(Arc::new(ResourceId::from(resource))));
    }
    let shape =
        SHAPES.iter().find(|(word, _)| tagged.shape.as_deref() == Some(word)).map(|(_, shape)| *shape);
    let unknown = tagged.unknown.map(|waits_for| Arc::new(Unknown { waits_for: waits_for.into(), shape }));
    match (tagged.secret, unknown) {
        (Some(_), unknown) => Ok(Value::Hidden(unknown)),
        (None, Some(unknown)) => Ok(Value::Unknown(unknown)),
        (None, None) => Err("a value of an unknown sort".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uphold_model::Value as Model;

    fn written(value: &Model) -> String {
        serde_json::to_string(&SavedValue(Value::from(value))).expect("JSON")
    }

    fn read_back(text: &str) -> Result<Model, String> {
        let read: Result<SavedValue, _> = serde_json::from_str(text);
        read.map(|value| Model::from(&value.0)).map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_read_as_they_were_written() {
        let id = ResourceId::new("file", "/x").in_module(Some("module.a".into())).with_key(Some("k".into()));
        let deep = (0..400).fold(Model::Int(1), |inner, at| match at % 2 {
            0 => Model::list([inner]),
            _ => Model::map([("a", inner)]),
        });
        for value in [
            Model::Null,
            Model::Bool(true),
            Model::Int(i64::MIN),
            Model::Float(0.1),
            Model::Float(2.0),
            Model::Float(f64::INFINITY),
            Model::text("a\u{0}\"é"),
            Model::Bytes(vec![0, 255].into()),
            Model::list([Model::list([]), Model::map([("$", Model::text("$secret"))])]),
            Model::map([("$secret", Model::Bool(true)), ("$$unknown", Model::Null), ("x", Model::Null)]),
            Model::map::<&str>([]),
            Model::Reference(Arc::new(id)),
            Model::unknown_of("task.a.status", Some(Shape::Map)),
            Model::unknown("task.a.status"),
            Model::unknown("task.a").sensitive(),
            deep,
        ] {
            let text = written(&value);
            assert_eq!(read_back(&text).as_ref(), Ok(&value), "{text}");
        }
    }

    #[test]
    fn nothing_of_a_secret_is_written() {
        let secret = Model::map([("a", Model::text("hunter2").sensitive()), ("b", Model::text("open"))]);
        assert_eq!(written(&secret), r#"{"a":{"$secret":true},"b":"open"}"#);
        let later = Model::list([Model::text("hunter2"), Model::unknown("task.a")]).sensitive();
        assert_eq!(written(&later), r#"{"$secret":true,"$unknown":"task.a"}"#);
    }

    #[test]
    fn invalid_values_are_errors() {
        for json in [
            json!({ "$new": 1 }),
            json!({ "$bytes": "zz" }),
            json!({ "$bytes": "0" }),
            json!({ "$float": "x" }),
            json!({ "$json": "[" }),
            json!({ "$resource": {} }),
            json!(1e300),
        ] {
            assert!(read_back(&json.to_string()).is_err(), "{json}");
        }
        let bomb = (0..20).fold(json!(1), |inner, _| json!({ "$json": inner.to_string() }));
        assert!(read_back(&bomb.to_string()).is_err());
    }
}
