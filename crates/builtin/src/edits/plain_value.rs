//! The values that a document can contain.

use uphold_resource::{Context, Problem, Property, Type, Value};

/// A value of plain data: null, bool, number, string, list or map. `1` and `1.0` are equal.
#[derive(Clone, Debug)]
pub struct PlainValue(pub(crate) Value);

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
