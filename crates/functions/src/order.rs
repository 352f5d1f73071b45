//! A total order of all values, for sets.

use std::cmp::Ordering;

use uphold_model::Value;

use crate::number::Number;

/// A sortable value: null, bools, numbers, strings, bytes, lists, maps, resources, in this order.
///
/// The comparison is recursive: values must have been inspected first.
#[derive(Clone, Copy)]
pub(crate) struct Ordered<'a>(pub(crate) &'a Value);

impl Ord for Ordered<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(self.0, other.0)
    }
}

impl PartialOrd for Ordered<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ordered<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ordered<'_> {}

/// The order of two values. Numbers are compared by value.
pub(crate) fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Bytes(a), Value::Bytes(b)) => a.cmp(b),
        (Value::Reference(a), Value::Reference(b)) => a.cmp(b),
        (Value::Sensitive(a), Value::Sensitive(b)) => compare(a, b),
        (Value::Unknown(a), Value::Unknown(b)) => a.waits_for.cmp(&b.waits_for),
        (Value::List(a), Value::List(b)) => a.iter().map(Ordered).cmp(b.iter().map(Ordered)),
        (Value::Map(a), Value::Map(b)) => {
            let entries = |(key, value)| (key, Ordered(value));
            a.iter().map(entries).cmp(b.iter().map(entries))
        }
        _ => match (Number::of(a), Number::of(b)) {
            (Some(a), Some(b)) => a.compare(b),
            _ => rank(a).cmp(&rank(b)),
        },
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Int(_) | Value::Float(_) => 2,
        Value::Text(_) => 3,
        Value::Bytes(_) => 4,
        Value::List(_) => 5,
        Value::Map(_) => 6,
        Value::Reference(_) => 7,
        Value::Sensitive(_) => 8,
        Value::Unknown(_) => 9,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_different_types_are_ordered() {
        let sorted = [
            Value::Null,
            Value::Bool(false),
            Value::Bool(true),
            Value::Float(-0.5),
            Value::Int(2),
            Value::Int(10),
            Value::text("10"),
            Value::text("9"),
            Value::list([]),
            Value::list([Value::Int(1)]),
            Value::map([("a", Value::Int(1))]),
            Value::map([("a", Value::Int(2))]),
        ];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                assert_eq!(compare(a, b), i.cmp(&j), "{a} {b}");
            }
        }
        assert_eq!(compare(&Value::Int(1), &Value::Float(1.0)), Ordering::Equal);
    }
}
