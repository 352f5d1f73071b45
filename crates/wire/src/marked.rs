//! Values, with separate marks for unknown and secret parts.

use serde::{Deserialize, Serialize};
use uphold_model::{Name, Value as Model};

use super::version::Format;
use crate::value::Value;
use crate::version::Version;

/// A value in three parts of one shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Marked {
    /// The known part, without secrets; none if nothing is known.
    pub value: Option<Value>,
    /// True where it is unknown; false if all of it is known.
    pub unknown: Value,
    /// True where it is secret; false if nothing is.
    pub sensitive: Value,
}

impl From<&Value> for Marked {
    fn from(value: &Value) -> Self {
        let whole = |value, unknown, sensitive| Self {
            value,
            unknown: Value::Bool(unknown),
            sensitive: Value::Bool(sensitive),
        };
        match value {
            Value::Unknown(_) => whole(None, true, false),
            Value::Hidden(Some(_)) => whole(None, true, true),
            Value::Hidden(None) => whole(Some(Value::Null), false, true),
            Value::List(items) => Self::list(items),
            Value::Map(members) => {
                let mut parts = MarkedMembers::default();
                members.iter().for_each(|(key, value)| parts.add(key, Self::from(value)));
                let marks =
                    |marks: Vec<_>| if marks.is_empty() { Value::Bool(false) } else { Value::Map(marks) };
                let MarkedMembers { values, unknown, sensitive } = parts;
                Self { value: Some(Value::Map(values)), unknown: marks(unknown), sensitive: marks(sensitive) }
            }
            plain => whole(Some(plain.clone()), false, false),
        }
    }
}

impl Marked {
    fn list(items: &[Value]) -> Self {
        let parts: Vec<Self> = items.iter().map(Self::from).collect();
        let marks = |mark: fn(&Self) -> &Value| {
            if !parts.iter().any(|part| is_marked(mark(part))) {
                return Value::Bool(false);
            }
            Value::List(parts.iter().map(|part| mark(part).clone()).collect())
        };
        let (unknown, sensitive) = (marks(|part| &part.unknown), marks(|part| &part.sensitive));
        let values = parts.into_iter().map(|part| part.value.unwrap_or(Value::Null)).collect();
        Self { value: Some(Value::List(values)), unknown, sensitive }
    }
}

/// The members of an object, in three parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarkedMembers {
    /// The known members; a secret is null.
    pub values: Vec<(Name, Value)>,
    /// True where a member is unknown.
    pub unknown: Vec<(Name, Value)>,
    /// True where a member is secret.
    pub sensitive: Vec<(Name, Value)>,
}

impl MarkedMembers {
    /// Adds or replaces a member.
    pub fn add(&mut self, name: &str, parts: Marked) {
        put(&mut self.values, name, parts.value);
        put(&mut self.unknown, name, Some(parts.unknown).filter(is_marked));
        put(&mut self.sensitive, name, Some(parts.sensitive).filter(is_marked));
    }
}

/// Keeps the members sorted by name.
fn put(to: &mut Vec<(Name, Value)>, name: &str, value: Option<Value>) {
    match (to.binary_search_by(|(key, _)| (**key).cmp(name)), value) {
        (Ok(at), Some(value)) => to[at].1 = value,
        (Ok(at), None) => _ = to.remove(at),
        (Err(at), Some(value)) => to.insert(at, (name.into(), value)),
        (Err(_), None) => {}
    }
}

fn is_marked(mark: &Value) -> bool {
    *mark != Value::Bool(false)
}

/// A line of `uphold console --json`. The marks tell null from an unknown or secret value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConsoleValue {
    /// The version of the line.
    pub format_version: Version,
    /// True where it is secret.
    pub sensitive: Value,
    /// True where it is unknown.
    pub unknown: Value,
    /// The known part.
    pub value: Value,
    /// The expression that the first unknown part waits for.
    pub waits_for: Option<String>,
}

impl From<&Model> for ConsoleValue {
    fn from(value: &Model) -> Self {
        let waits_for = value.first_unknown().map(|unknown| unknown.waits_for.to_string());
        let Marked { value, unknown, sensitive } = Marked::from(&Value::from(value));
        let (format_version, value) = (Self::VERSION, value.unwrap_or(Value::Null));
        Self { format_version, sensitive, unknown, value, waits_for }
    }
}

impl Format for ConsoleValue {
    const NAME: &'static str = "console value";
    const VERSION: Version = Version::new(1, 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_and_secret_parts_are_marked() {
        let check = |value: Model, expected: Option<&str>, unknown: &str, sensitive: &str| {
            let text = |value: &Value| serde_json::to_string(value).expect("JSON");
            let parts = Marked::from(&Value::from(&value));
            assert_eq!(parts.value.as_ref().map(text).as_deref(), expected, "{value}");
            assert_eq!((&*text(&parts.unknown), &*text(&parts.sensitive)), (unknown, sensitive), "{value}");
        };
        check(Model::Int(1), Some("1"), "false", "false");
        check(Model::Bytes(vec![0, 254].into()), Some(r#"{"hex":"00fe"}"#), "false", "false");
        check(Model::unknown("task.a"), None, "true", "false");
        check(Model::text("hunter2").sensitive(), Some("null"), "false", "true");
        check(Model::unknown("task.a").sensitive(), None, "true", "true");
        let list = Model::list([Model::Int(1), Model::unknown("task.a"), Model::text("hunter2").sensitive()]);
        check(list.clone(), Some("[1,null,null]"), "[false,true,false]", "[false,false,true]");
        check(
            Model::map([("a", list), ("b", Model::unknown("task.a")), ("c", Model::Bool(true))]),
            Some(r#"{"a":[1,null,null],"c":true}"#),
            r#"{"a":[false,true,false],"b":true}"#,
            r#"{"a":[false,false,true]}"#,
        );
    }
}
