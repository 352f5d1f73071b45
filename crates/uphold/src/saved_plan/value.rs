//! Values in a saved plan. A secret is never among them.

use std::sync::Arc;

use data_encoding::HEXLOWER;
use serde_json::{Map as Object, Number, Value as Json, json};
use uphold_model::{ResourceId, Shape, Value};

use super::object::{Damaged, Fields, damaged};

/// The shapes by the words that stand for them.
const SHAPES: [(&str, Shape); 6] = [
    ("bool", Shape::Bool),
    ("number", Shape::Number),
    ("text", Shape::Text),
    ("bytes", Shape::Bytes),
    ("list", Shape::List),
    ("map", Shape::Map),
];

/// So many levels of a value stand as they are. `serde_json` reads 128 levels of a file, and a value may have more:
/// what is inside of this many is text, and read for itself.
const LEVELS: usize = 64;

/// How often that may be done: more levels than this has no value.
const DEEPEST: usize = 8;

/// The same value without its secrets: each is there, but nothing of it.
pub(super) fn blank(value: &Value) -> Value {
    match value {
        Value::Sensitive(inner) => match inner.first_unknown() {
            Some(unknown) => Value::Unknown(Arc::new(unknown.clone())).sensitive(),
            None => Value::Null.sensitive(),
        },
        Value::List(items) => Value::list(items.iter().map(blank)),
        Value::Map(map) => Value::map(map.iter().map(|(key, value)| (key.clone(), blank(value)))),
        plain => plain.clone(),
    }
}

/// A value as JSON. What JSON has no word for is an object whose member begins with `$`; a key that does so itself
/// has one more of them. Secrets are left out.
pub(super) fn to_json(value: &Value) -> Json {
    write(value, 0)
}

fn write(value: &Value, level: usize) -> Json {
    match value {
        Value::List(_) | Value::Map(_) if level == LEVELS => json!({ "$json": write(value, 0).to_string() }),
        Value::List(items) => items.iter().map(|item| write(item, level + 1)).collect(),
        Value::Map(map) => {
            let members = map.iter().map(|(key, value)| (escaped(key), write(value, level + 1)));
            Json::Object(members.collect::<Object<_, _>>())
        }
        Value::Null => Json::Null,
        Value::Bool(bool) => Json::Bool(*bool),
        Value::Int(int) => Json::from(*int),
        Value::Float(float) => match Number::from_f64(*float) {
            Some(number) => json!({ "$float": number }),
            None => json!({ "$float": float.to_string() }),
        },
        Value::Text(text) => Json::from(&**text),
        Value::Bytes(bytes) => json!({ "$bytes": HEXLOWER.encode(bytes) }),
        Value::Reference(id) => json!({ "$resource": id_to_json(id) }),
        Value::Sensitive(inner) => match inner.first_unknown() {
            Some(unknown) => json!({ "$secret": true, "$unknown": &*unknown.waits_for }),
            None => json!({ "$secret": true }),
        },
        Value::Unknown(unknown) => {
            let shape = SHAPES.iter().find(|(_, shape)| Some(*shape) == unknown.shape);
            json!({ "$unknown": &*unknown.waits_for, "$shape": shape.map(|(word, _)| *word) })
        }
    }
}

fn escaped(key: &str) -> String {
    if key.starts_with('$') { format!("${key}") } else { key.to_owned() }
}

/// A value as it was written by [`to_json`]; secrets are blank.
pub(super) fn from_json(json: &Json) -> Result<Value, Damaged> {
    read(json, 0)
}

/// `serde_json` bounds how deep this goes.
fn read(json: &Json, unpacked: usize) -> Result<Value, Damaged> {
    match json {
        Json::Null => Ok(Value::Null),
        Json::Bool(bool) => Ok(Value::Bool(*bool)),
        Json::Number(number) => {
            number.as_i64().map(Value::Int).ok_or_else(|| damaged("a number is too large"))
        }
        Json::String(text) => Ok(Value::text(&**text)),
        Json::Array(items) => {
            let items: Result<Vec<_>, _> = items.iter().map(|item| read(item, unpacked)).collect();
            items.map(Value::list)
        }
        Json::Object(members) => {
            let is_word = |key: &String| key.starts_with('$') && !key.starts_with("$$");
            match members.keys().any(is_word) {
                true => tagged(Fields::of(json)?, unpacked),
                false => read_map(Fields::of(json)?, unpacked),
            }
        }
    }
}

fn read_map(members: Fields<'_>, unpacked: usize) -> Result<Value, Damaged> {
    let plain = |key: &str| key.strip_prefix('$').unwrap_or(key).to_owned();
    let read = members.iter().map(|(key, value)| Ok((plain(key), read(value, unpacked)?)));
    read.collect::<Result<Vec<_>, _>>().map(Value::map)
}

fn tagged(fields: Fields<'_>, unpacked: usize) -> Result<Value, Damaged> {
    if let Some(float) = fields.get("$float") {
        let number = float.as_f64().or_else(|| float.as_str()?.parse().ok());
        return number.map(Value::Float).ok_or_else(|| damaged("a number cannot be read"));
    }
    if fields.get("$json").is_some() {
        let inner = serde_json::from_str(fields.text("$json")?).ok().filter(|_| unpacked < DEEPEST);
        return read(&inner.ok_or_else(|| damaged("a nested value cannot be read"))?, unpacked + 1);
    }
    if fields.get("$bytes").is_some() {
        let bytes = HEXLOWER.decode(fields.text("$bytes")?.as_bytes());
        return bytes.map(|bytes| Value::Bytes(bytes.into())).map_err(|_| damaged("bytes cannot be read"));
    }
    if let Some(id) = fields.get("$resource") {
        return Ok(Value::Reference(Arc::new(id_from_json(id)?)));
    }
    let unknown = match fields.optional_text("$unknown")? {
        None => None,
        Some(waits_for) => {
            let word = fields.optional_text("$shape")?;
            let shape = SHAPES.iter().find(|(known, _)| Some(*known) == word).map(|(_, shape)| *shape);
            Some(Value::unknown_of(waits_for, shape))
        }
    };
    match (fields.get("$secret"), unknown) {
        (Some(_), unknown) => Ok(unknown.unwrap_or_default().sensitive()),
        (None, Some(unknown)) => Ok(unknown),
        (None, None) => Err(damaged("a value of an unknown sort")),
    }
}

/// A resource, part by part.
pub(super) fn id_to_json(id: &ResourceId) -> Json {
    let mut json = json!({ "kind": &*id.kind, "name": &*id.name });
    for (name, part) in [("module", id.module()), ("key", id.key())] {
        if let Some(part) = part {
            json[name] = Json::from(&**part);
        }
    }
    json
}

/// A resource as it was written by [`id_to_json`].
pub(super) fn id_from_json(json: &Json) -> Result<ResourceId, Damaged> {
    let fields = Fields::of(json)?;
    let id = ResourceId::new(fields.text("kind")?, fields.text("name")?);
    let origin = |name| fields.optional_text(name).map(|text| text.map(Into::into));
    Ok(id.in_module(origin("module")?).with_key(origin("key")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_they_were_written() {
        let id = ResourceId::new("file", "/x").in_module(Some("module.a".into())).with_key(Some("k".into()));
        let deep = (0..400).fold(Value::Int(1), |inner, at| match at % 2 {
            0 => Value::list([inner]),
            _ => Value::map([("a", inner)]),
        });
        for value in [
            Value::Null,
            Value::Bool(true),
            Value::Int(i64::MIN),
            Value::Float(0.1),
            Value::Float(2.0),
            Value::Float(f64::INFINITY),
            Value::text("a\u{0}\"é"),
            Value::Bytes(vec![0, 255].into()),
            Value::list([Value::list([]), Value::map([("$", Value::text("$secret"))])]),
            Value::map([("$secret", Value::Bool(true)), ("$$unknown", Value::Null), ("x", Value::Null)]),
            Value::map::<&str>([]),
            Value::Reference(Arc::new(id)),
            Value::unknown_of("task.a.status", Some(Shape::Map)),
            Value::unknown("task.a.status"),
            deep,
        ] {
            let text = to_json(&value).to_string();
            let read = from_json(&serde_json::from_str(&text).expect("JSON")).expect("a value");
            assert_eq!(read, value, "{text}");
        }
    }

    #[test]
    fn nothing_of_a_secret_is_written() {
        let secret = Value::map([("a", Value::text("hunter2").sensitive()), ("b", Value::text("open"))]);
        let text = to_json(&secret).to_string();
        assert_eq!(text, r#"{"a":{"$secret":true},"b":"open"}"#);
        assert_eq!(to_json(&blank(&secret)).to_string(), text);
        let later = Value::list([Value::text("hunter2"), Value::unknown("task.a")]).sensitive();
        assert_eq!(to_json(&later).to_string(), r#"{"$secret":true,"$unknown":"task.a"}"#);
        assert_eq!(from_json(&to_json(&later)), Ok(blank(&later)));
    }

    #[test]
    fn what_is_no_value_is_damage() {
        for json in [
            json!({ "$new": 1 }),
            json!({ "$bytes": "zz" }),
            json!({ "$float": "x" }),
            json!({ "$json": "[" }),
            json!({ "$resource": {} }),
            json!(1e300),
        ] {
            assert!(from_json(&json).is_err(), "{json}");
        }
        let bomb = (0..20).fold(json!(1), |inner, _| json!({ "$json": inner.to_string() }));
        assert!(from_json(&bomb).is_err());
    }
}
