//! Values: results of expressions, from which properties are decoded.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::sync::Arc;

use super::id::{Name, ResourceId};
use crate::identifier::is_identifier;

/// Sorted by key, like HCL objects.
pub type Map = BTreeMap<Name, Value>;

/// Printed instead of a secret.
pub const SENSITIVE: &str = "(sensitive value)";

/// Printed instead of a value that becomes known only during the run.
pub const UNKNOWN: &str = "(known after apply)";

/// JSON-like data, and the special values of a plan: references, secrets and unknown values.
///
/// Clones are cheap: everything large is shared.
#[derive(Clone, PartialEq, Default)]
pub enum Value {
    /// An explicit null.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    Text(Name),
    /// Bytes that are not valid UTF-8 text.
    Bytes(Arc<[u8]>),
    /// A list.
    List(Arc<[Value]>),
    /// A map or object.
    Map(Arc<Map>),
    /// A resource itself: `file.motd` without a property.
    Reference(Arc<ResourceId>),
    /// A secret. It is never printed, and every value computed from it is a secret too.
    Sensitive(Arc<Value>),
    /// A value that becomes known only during the run.
    Unknown(Arc<Unknown>),
}

/// Why a value is unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// The value that it depends on, such as `task.echo.status.stdout`.
    pub waits_for: Name,
    /// Its shape, if that is already known.
    pub shape: Option<Shape>,
}

/// The type of a value, without the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// True or false.
    Bool,
    /// A number.
    Number,
    /// A string.
    Text,
    /// Bytes that are not valid UTF-8 text.
    Bytes,
    /// A list.
    List,
    /// A map.
    Map,
}

impl Shape {
    /// Its name in error messages.
    pub fn words(self) -> &'static str {
        match self {
            Shape::Bool => "a bool",
            Shape::Number => "a number",
            Shape::Text => "a string",
            Shape::Bytes => "bytes",
            Shape::List => "a list",
            Shape::Map => "a map",
        }
    }
}

impl Value {
    /// A string.
    pub fn text(text: impl Into<Name>) -> Self {
        Value::Text(text.into())
    }

    /// A list of these values.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Self {
        Value::List(items.into_iter().collect())
    }

    /// A map of these entries.
    pub fn map<K: Into<Name>>(entries: impl IntoIterator<Item = (K, Value)>) -> Self {
        Value::Map(Arc::new(entries.into_iter().map(|(k, v)| (k.into(), v)).collect()))
    }

    /// A value that is unknown until `waits_for` was applied.
    pub fn unknown(waits_for: impl Into<Name>) -> Self {
        Value::Unknown(Arc::new(Unknown { waits_for: waits_for.into(), shape: None }))
    }

    /// A value that is unknown until `waits_for` was applied, but whose shape is known.
    pub fn unknown_of(waits_for: impl Into<Name>, shape: Option<Shape>) -> Self {
        Value::Unknown(Arc::new(Unknown { waits_for: waits_for.into(), shape }))
    }

    /// Its shape, if it has one: null and resources have none.
    pub fn shape(&self) -> Option<Shape> {
        match self {
            Value::Null | Value::Reference(_) => None,
            Value::Bool(_) => Some(Shape::Bool),
            Value::Int(_) | Value::Float(_) => Some(Shape::Number),
            Value::Text(_) => Some(Shape::Text),
            Value::Bytes(_) => Some(Shape::Bytes),
            Value::List(_) => Some(Shape::List),
            Value::Map(_) => Some(Shape::Map),
            Value::Sensitive(inner) => inner.shape(),
            Value::Unknown(unknown) => unknown.shape,
        }
    }

    /// The same value as a secret. A secret stays one.
    pub fn sensitive(self) -> Self {
        match self {
            Value::Sensitive(_) => self,
            value => Value::Sensitive(Arc::new(value)),
        }
    }

    /// The value inside a secret, or the value itself.
    pub fn reveal(&self) -> &Value {
        match self {
            Value::Sensitive(inner) => inner.reveal(),
            value => value,
        }
    }

    /// Whether this or any part of it is a secret.
    pub fn is_sensitive(&self) -> bool {
        self.any(&|value| matches!(value, Value::Sensitive(_)))
    }

    /// Whether this or any part of it is unknown.
    pub fn is_unknown(&self) -> bool {
        self.first_unknown().is_some()
    }

    /// The first unknown part.
    pub fn first_unknown(&self) -> Option<&Unknown> {
        match self {
            Value::Unknown(unknown) => Some(unknown),
            Value::Sensitive(inner) => inner.first_unknown(),
            Value::List(items) => items.iter().find_map(Value::first_unknown),
            Value::Map(map) => map.values().find_map(Value::first_unknown),
            _ => None,
        }
    }

    fn any(&self, test: &dyn Fn(&Value) -> bool) -> bool {
        test(self)
            || match self {
                Value::Sensitive(inner) => inner.any(test),
                Value::List(items) => items.iter().any(|item| item.any(test)),
                Value::Map(map) => map.values().any(|item| item.any(test)),
                _ => false,
            }
    }

    /// The type of the value, as error messages name it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a bool",
            Value::Int(_) | Value::Float(_) => "a number",
            Value::Text(_) => "a string",
            Value::Bytes(_) => "bytes",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
            Value::Reference(_) => "a resource",
            Value::Sensitive(inner) => inner.type_name(),
            Value::Unknown(unknown) => unknown.shape.map_or("a value known after apply", Shape::words),
        }
    }

    /// The member at `path`, through maps and lists; a member of a secret is a secret.
    pub fn at<S: AsRef<str>>(&self, path: &[S]) -> Option<Value> {
        let Some((step, rest)) = path.split_first() else { return Some(self.clone()) };
        match self {
            Value::Map(map) => map.get(step.as_ref())?.at(rest),
            Value::List(items) => items.get(step.as_ref().parse::<usize>().ok()?)?.at(rest),
            Value::Sensitive(inner) => inner.at(path).map(Value::sensitive),
            Value::Unknown(_) => Some(self.clone()),
            _ => None,
        }
    }
}

/// Printed as HCL on one line, with placeholders for secrets and unknown values.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(i) => write!(f, "{i}"),
            Value::Float(x) => write!(f, "{x}"),
            Value::Text(text) => write_text(f, text),
            Value::Bytes(bytes) => write!(f, "({} bytes)", bytes.len()),
            Value::List(items) => write_list(f, items),
            Value::Map(map) => write_map(f, map),
            Value::Reference(id) => write!(f, "{id}"),
            Value::Sensitive(_) => f.write_str(SENSITIVE),
            Value::Unknown(_) => f.write_str(UNKNOWN),
        }
    }
}

/// The same as `Display`, so that `{:?}` cannot leak a secret.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, items: &[Value]) -> fmt::Result {
    f.write_str("[")?;
    for (i, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
    }
    f.write_str("]")
}

fn write_map(f: &mut fmt::Formatter<'_>, map: &Map) -> fmt::Result {
    f.write_str("{")?;
    for (i, (key, value)) in map.iter().enumerate() {
        f.write_str(if i == 0 { " " } else { ", " })?;
        if is_identifier(key) {
            f.write_str(key)?;
        } else {
            write_text(f, key)?;
        }
        write!(f, " = {value}")?;
    }
    f.write_str(if map.is_empty() { "}" } else { " }" })
}

/// A quoted string that parses to the same value.
fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            '$' | '%' if characters.peek() == Some(&'{') => write!(f, "{character}{character}")?,
            other if other.is_control() => write!(f, "\\u{:04x}", u32::from(other))?,
            other => f.write_char(other)?,
        }
    }
    f.write_char('"')
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::text(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::text(text)
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Value::Bool(b)
    }
}

impl From<i64> for Value {
    fn from(i: i64) -> Self {
        Value::Int(i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_do_not_print() {
        let secret = Value::map([("password", Value::text("hunter2").sensitive())]);
        assert_eq!(
            format!("{secret} {secret:?}"),
            "{ password = (sensitive value) } { password = (sensitive value) }"
        );
        assert!(secret.is_sensitive());
    }

    #[test]
    fn texts_and_keys_are_written_as_they_are_read() {
        let check = |value: Value, expected: &str| assert_eq!(value.to_string(), expected);
        check(Value::text("a\n\"b\" \\ ${x} %{ $5 $$"), r#""a\n\"b\" \\ $${x} %%{ $5 $$""#);
        check(Value::text("\u{1b}é"), r#""\u001bé""#);
        check(Value::map([("a b", Value::Int(1)), ("c-d", Value::Null)]), r#"{ "a b" = 1, c-d = null }"#);
    }

    #[test]
    fn a_member_of_a_secret_is_a_secret() {
        let secret = Value::map([("a", Value::Int(1))]).sensitive();
        assert_eq!(secret.at(&["a"]), Some(Value::Int(1).sensitive()));
        assert_eq!(secret.at(&["b"]), None);
    }

    #[test]
    fn members_of_the_unknown_are_unknown() {
        let unknown = Value::unknown("task.a");
        assert_eq!(unknown.at(&["status", "stdout"]), Some(unknown.clone()));
        assert!(Value::list([unknown]).is_unknown());
    }
}
