//! Values, with what is not known and what is secret said beside them.

use serde_json::{Map, Number, Value as Json, json};
use uphold::model::Value;

/// A value in three parts of one shape.
#[derive(Debug, PartialEq)]
pub(crate) struct Parts {
    /// What is known and no secret; none if nothing of it is known.
    pub(crate) value: Option<Json>,
    /// True where something is not known; false if all of it is.
    pub(crate) unknown: Json,
    /// True where something is a secret; false if nothing is.
    pub(crate) sensitive: Json,
}

impl Parts {
    /// The parts of a value. A secret is null.
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Unknown(_) => Self { value: None, unknown: json!(true), sensitive: json!(false) },
            Value::Sensitive(inner) if inner.is_unknown() => {
                Self { value: None, unknown: json!(true), sensitive: json!(true) }
            }
            Value::Sensitive(_) => {
                Self { value: Some(Json::Null), unknown: json!(false), sensitive: json!(true) }
            }
            Value::List(items) => Self::list(items),
            Value::Map(map) => {
                let mut parts = Members::default();
                map.iter().for_each(|(key, value)| parts.add(key, Self::of(value)));
                parts.whole()
            }
            plain => Self { value: Some(leaf(plain)), unknown: json!(false), sensitive: json!(false) },
        }
    }

    fn list(items: &[Value]) -> Self {
        let parts: Vec<Parts> = items.iter().map(Self::of).collect();
        let marks = |mark: fn(&Parts) -> &Json| match parts.iter().any(|part| is_marked(mark(part))) {
            true => parts.iter().map(|part| mark(part).clone()).collect(),
            false => json!(false),
        };
        let (unknown, sensitive) = (marks(|part| &part.unknown), marks(|part| &part.sensitive));
        let values = parts.into_iter().map(|part| part.value.unwrap_or_default());
        Self { value: Some(values.collect()), unknown, sensitive }
    }
}

/// The members of an object, in three parts.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) values: Map<String, Json>,
    pub(super) unknown: Map<String, Json>,
    pub(super) sensitive: Map<String, Json>,
}

impl Members {
    /// Adds a member, or replaces it. Only what is known has a value, and only what is marked a mark.
    pub(super) fn add(&mut self, name: &str, parts: Parts) {
        put(&mut self.values, name, parts.value);
        put(&mut self.unknown, name, Some(parts.unknown).filter(is_marked));
        put(&mut self.sensitive, name, Some(parts.sensitive).filter(is_marked));
    }

    /// All of them as one value.
    fn whole(self) -> Parts {
        let marks = |marks: Map<String, Json>| match marks.is_empty() {
            true => json!(false),
            false => Json::Object(marks),
        };
        Parts {
            value: Some(Json::Object(self.values)),
            unknown: marks(self.unknown),
            sensitive: marks(self.sensitive),
        }
    }
}

fn put(to: &mut Map<String, Json>, name: &str, value: Option<Json>) {
    match value {
        Some(value) => _ = to.insert(name.to_owned(), value),
        None => _ = to.remove(name),
    }
}

fn is_marked(mark: &Json) -> bool {
    *mark != json!(false)
}

fn leaf(value: &Value) -> Json {
    match value {
        Value::Bool(bool) => Json::Bool(*bool),
        Value::Int(int) => Json::from(*int),
        Value::Float(float) => Number::from_f64(*float).map_or(Json::Null, Json::Number),
        Value::Text(text) => Json::from(&**text),
        Value::Bytes(bytes) => {
            json!({ "hex": bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>() })
        }
        Value::Reference(id) => Json::from(id.to_string()),
        // What has members, and what is hidden, was taken apart before.
        _ => Json::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_and_what_is_secret_is_marked() {
        let check = |value: Value, expected: Option<Json>, unknown: Json, sensitive: Json| {
            assert_eq!(Parts::of(&value), Parts { value: expected, unknown, sensitive }, "{value}");
        };
        let (no, yes) = (json!(false), json!(true));
        check(Value::Int(1), Some(json!(1)), no.clone(), no.clone());
        check(Value::Bytes(vec![0, 254].into()), Some(json!({ "hex": "00fe" })), no.clone(), no.clone());
        check(Value::unknown("task.a"), None, yes.clone(), no.clone());
        check(Value::text("hunter2").sensitive(), Some(Json::Null), no.clone(), yes.clone());
        check(Value::unknown("task.a").sensitive(), None, yes.clone(), yes.clone());
        let list = Value::list([Value::Int(1), Value::unknown("task.a"), Value::text("hunter2").sensitive()]);
        check(
            list.clone(),
            Some(json!([1, null, null])),
            json!([false, true, false]),
            json!([false, false, true]),
        );
        check(
            Value::map([("a", list), ("b", Value::unknown("task.a")), ("c", Value::Bool(true))]),
            Some(json!({ "a": [1, null, null], "c": true })),
            json!({ "a": [false, true, false], "b": true }),
            json!({ "a": [false, false, true] }),
        );
    }
}
