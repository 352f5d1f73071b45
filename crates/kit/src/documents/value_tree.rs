//! Nested values: finding, changing and comparing them.

use std::sync::Arc;

use uphold_resource::{Context, Error, ErrorKind, Map, Problem, Property, Result, Type, Value};

use super::key_path::{KeyStep, Shown};

/// A change of one part of a document: its path, and its new value; none to remove it.
#[derive(Debug, PartialEq)]
pub struct Change {
    /// The position of the value.
    pub at: Vec<KeyStep>,
    /// The new value; none if it is removed.
    pub to: Option<Value>,
}

/// The value at `steps`; none if it does not exist.
///
/// # Errors
/// If a step does not match its container, or leads into a scalar.
pub(crate) fn find<'v>(value: &'v Value, steps: &[KeyStep]) -> Result<Option<&'v Value>> {
    let mut value = value;
    for (at, step) in steps.iter().enumerate() {
        let inner = match (value, step) {
            (Value::Map(map), KeyStep::Key(key)) => map.get(key.as_str()),
            (Value::List(items), KeyStep::Index(index)) => items.get(*index),
            (Value::Null, _) => None,
            (value, _) => return Err(in_the_way(value, steps, at)),
        };
        let Some(inner) = inner else { return Ok(None) };
        value = inner;
    }
    Ok(Some(value))
}

/// The value with `new` at `steps`. Missing maps are created; null counts as missing.
///
/// # Errors
/// As [`find`], or if a list is too short.
pub(crate) fn with(value: &Value, steps: &[KeyStep], new: &Value) -> Result<Value> {
    with_at(value, steps, 0, new)
}

fn with_at(value: &Value, steps: &[KeyStep], at: usize, new: &Value) -> Result<Value> {
    match (value, steps.get(at)) {
        (_, None) => Ok(new.clone()),
        (Value::Map(_) | Value::Null, Some(KeyStep::Key(key))) => {
            let mut map = match value {
                Value::Map(map) => Map::clone(map),
                _ => Map::new(),
            };
            let inner = map.get(key.as_str()).unwrap_or(&Value::Null);
            let inner = with_at(inner, steps, at + 1, new)?;
            map.insert(key.as_str().into(), inner);
            Ok(Value::Map(Arc::new(map)))
        }
        (Value::List(_) | Value::Null, Some(KeyStep::Index(index))) => {
            let mut items = match value {
                Value::List(items) => items.to_vec(),
                _ => Vec::new(),
            };
            if *index > items.len() {
                return Err(too_short(items.len(), steps, at));
            }
            let inner = with_at(items.get(*index).unwrap_or(&Value::Null), steps, at + 1, new)?;
            items.splice(*index..(*index + 1).min(items.len()), [inner]);
            Ok(Value::List(items.into()))
        }
        _ => Err(in_the_way(value, steps, at)),
    }
}

/// The value without the part at `steps`. Later items of a list move up.
///
/// # Errors
/// As [`find`].
pub(crate) fn without(value: &Value, steps: &[KeyStep]) -> Result<Value> {
    let Some((last, way)) = steps.split_last() else { return Ok(Value::Null) };
    let Some(holder) = find(value, way)? else { return Ok(value.clone()) };
    let rest = match (holder, last) {
        (Value::Map(map), KeyStep::Key(key)) if map.contains_key(key.as_str()) => {
            let rest = map.iter().filter(|(name, _)| ***name != **key);
            Value::map(rest.map(|(name, value)| (name.clone(), value.clone())))
        }
        (Value::List(items), KeyStep::Index(index)) if *index < items.len() => {
            let rest = items.iter().enumerate().filter(|(at, _)| at != index);
            Value::list(rest.map(|(_, item)| item.clone()))
        }
        _ => return Ok(value.clone()),
    };
    with(value, way, &rest)
}

/// The smallest changes that turn `old`, at `steps`, into `new`: maps are compared by member, all else is replaced
/// as a whole. Removals come first.
pub(crate) fn changes(old: Option<&Value>, new: &Value, steps: &[KeyStep]) -> Vec<Change> {
    let (Some(Value::Map(old)), Value::Map(new)) = (old, new) else {
        let is_same = old.is_some_and(|old| same(old, new));
        let change = || Change { at: steps.to_vec(), to: Some(new.clone()) };
        return if is_same { Vec::new() } else { vec![change()] };
    };
    // A map that keeps no member is replaced as a whole, so that it is never empty in between.
    if !old.keys().any(|key| new.contains_key(key)) && !old.is_empty() {
        return vec![Change { at: steps.to_vec(), to: Some(Value::Map(Arc::clone(new))) }];
    }
    let below = |key: &str| [steps, &[KeyStep::Key(key.to_owned())]].concat();
    let removed =
        old.keys().filter(|key| !new.contains_key(*key)).map(|key| Change { at: below(key), to: None });
    let set = new.iter().flat_map(|(key, value)| changes(old.get(key), value, &below(key)));
    removed.chain(set).collect()
}

fn in_the_way(value: &Value, steps: &[KeyStep], at: usize) -> Error {
    let what = format!("{} is {}", Shown(&steps[..at]), value.type_name());
    let error = Error::new(ErrorKind::Invalid, what);
    match (value, &steps[at]) {
        (Value::List(_), KeyStep::Key(_)) => {
            error.hint(format!("name an item by its index, as in {}[0]", Shown(&steps[..at])))
        }
        (Value::Map(_), KeyStep::Index(index)) => {
            error.hint(format!("use a key instead of the index [{index}]"))
        }
        _ => error.hint("correct `key`, or declare the whole value at that position"),
    }
}

fn too_short(length: usize, steps: &[KeyStep], at: usize) -> Error {
    let what = format!("{} has {length} items, too few for {}", Shown(&steps[..at]), Shown(&steps[..=at]));
    Error::new(ErrorKind::Invalid, what).hint(format!("the next free index is [{length}]"))
}

// The values that a document can contain.

/// A value of plain data: null, bool, number, string, list or map. `1` and `1.0` are equal.
#[derive(Clone, Debug)]
pub struct PlainValue(pub Value);

impl Property for PlainValue {
    const TYPE: &'static Type = Value::TYPE;

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        match unsupported(value) {
            None => Ok(PlainValue(value.clone())),
            Some(part) => {
                let rule = format!("contains {}, which documents do not support", part.type_name());
                Err(Problem::new(Some(value), rule, "use strings, numbers, bools, lists and maps"))
            }
        }
    }

    fn to_value(&self) -> Value {
        self.0.clone()
    }
}

/// The first part that is not plain data.
fn unsupported(value: &Value) -> Option<&Value> {
    match value {
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) => None,
        Value::List(items) => items.iter().find_map(unsupported),
        Value::Map(map) => map.values().find_map(unsupported),
        other => Some(other),
    }
}

impl PartialEq for PlainValue {
    fn eq(&self, other: &Self) -> bool {
        same(&self.0, &other.0)
    }
}

impl<V: Into<Value>> From<V> for PlainValue {
    fn from(value: V) -> Self {
        PlainValue(value.into())
    }
}

/// Whether two values are equal, comparing numbers by value.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Int(int), Value::Float(float)) | (Value::Float(float), Value::Int(int)) => {
            is_int(*float, *int)
        }
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len() && one.iter().zip(other.iter()).all(|(one, other)| same(one, other))
        }
        (Value::Map(one), Value::Map(other)) => {
            one.len() == other.len()
                && one.iter().zip(other.iter()).all(|(one, other)| one.0 == other.0 && same(one.1, other.1))
        }
        (one, other) => one == other,
    }
}

/// Compared as strings, because a conversion to a float would lose digits of large numbers.
fn is_int(float: f64, int: i64) -> bool {
    float.fract() == 0.0 && format!("{float:.0}") == int.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::KeyPath;
    use uphold_resource::{Context, Property};

    fn steps(text: &str) -> Vec<KeyStep> {
        let path = KeyPath::from_value(&Value::text(text), &Context::NOTHING).expect("a path");
        path.steps().to_vec()
    }

    fn document() -> Value {
        let ports = Value::list([Value::Int(80), Value::Int(443)]);
        let server = Value::map([("name", Value::text("web")), ("ports", ports)]);
        Value::map([("server", server), ("empty", Value::Null)])
    }

    #[test]
    fn finds_sets_and_removes_values() {
        let check = |path: &str, found: &str, set: &str, removed: &str| {
            let path = steps(path);
            let show = |value: Result<Value>| value.map_or_else(|error| error.to_string(), |v| v.to_string());
            let document = document();
            let seen = find(&document, &path).map(|value| value.cloned().unwrap_or(Value::text("nothing")));
            assert_eq!(show(seen), found, "{}", Shown(&path));
            let after = with(&document, &path, &Value::Bool(true));
            let after = after.map(|value| Value::list([find(&value, &path).unwrap().unwrap().clone()]));
            assert_eq!(show(after), set, "{}", Shown(&path));
            let after = without(&document, &path).map(|value| match find(&value, &path) {
                Ok(Some(value)) => value.clone(),
                _ => Value::text("nothing"),
            });
            assert_eq!(show(after), removed, "{}", Shown(&path));
        };
        check("server.name", "\"web\"", "[true]", "\"nothing\"");
        check("server.ports[0]", "80", "[true]", "443");
        check("server.ports[2]", "\"nothing\"", "[true]", "\"nothing\"");
        check("empty.deeper.still", "\"nothing\"", "[true]", "\"nothing\"");
        check("new[0].x", "\"nothing\"", "[true]", "\"nothing\"");
        let text = "`server.name` is a string";
        check("server.name.x", text, text, "\"nothing\"");
        let list = "`server.ports` is a list";
        check("server.ports.x", list, list, "\"nothing\"");
        let map = "`server` is a map";
        check("server[0]", map, map, "\"nothing\"");
        let few = "`server.ports` has 2 items, too few for `server.ports[5]`";
        check("server.ports[5]", "\"nothing\"", few, "\"nothing\"");
    }

    #[test]
    fn changes_are_minimal() {
        let check = |old: Option<Value>, new: Value, expected: &[&str]| {
            let changes = changes(old.as_ref(), &new, &steps("k"));
            let show = |change: &Change| match &change.to {
                Some(value) => format!("{} = {value}", Shown(&change.at)),
                None => format!("no {}", Shown(&change.at)),
            };
            assert_eq!(changes.iter().map(show).collect::<Vec<_>>(), expected);
        };
        let map = |entries: &[(&str, i64)]| Value::map(entries.iter().map(|(k, v)| (*k, Value::Int(*v))));
        check(None, Value::Int(1), &["`k` = 1"]);
        check(Some(Value::Float(1.0)), Value::Int(1), &[]);
        check(Some(map(&[("a", 1), ("b", 2)])), map(&[("a", 1), ("c", 3)]), &["no `k.b`", "`k.c` = 3"]);
        check(Some(map(&[("a", 1)])), map(&[("c", 3)]), &["`k` = { c = 3 }"]);
        check(Some(map(&[])), map(&[("c", 3)]), &["`k.c` = 3"]);
        let old = Value::map([("x", map(&[("a", 1), ("b", 2)]))]);
        check(Some(old), Value::map([("x", map(&[("a", 1), ("b", 9)]))]), &["`k.x.b` = 9"]);
    }
}

#[cfg(test)]
mod plain_value_tests {
    use super::*;

    #[test]
    fn integers_and_floats_compare_by_value() {
        let check = |one: Value, other: Value, expected: bool| {
            assert_eq!(same(&one, &other), expected, "{one} {other}");
            assert_eq!(same(&other, &one), expected, "{other} {one}");
        };
        check(Value::Int(1), Value::Float(1.0), true);
        check(Value::Int(1), Value::Float(1.5), false);
        check(Value::Int(i64::MAX), Value::Float(9_223_372_036_854_775_807.0), false);
        check(Value::Int(1), Value::text("1"), false);
        check(Value::Null, Value::Bool(false), false);
        let list = |value: Value| Value::list([value]);
        check(list(Value::Int(2)), list(Value::Float(2.0)), true);
        check(list(Value::Int(2)), Value::list([]), false);
        let map = |value: Value| Value::map([("a", value)]);
        check(map(Value::Int(2)), map(Value::Float(2.0)), true);
        check(map(Value::Int(2)), Value::map([("b", Value::Int(2))]), false);
    }

    #[test]
    fn refuses_bytes() {
        let bytes = Value::list([Value::Bytes([0xff_u8].as_slice().into())]);
        let problem = PlainValue::from_value(&bytes, &Context::NOTHING).unwrap_err();
        assert!(problem.to_string().contains("contains bytes"), "{problem}");
    }
}
