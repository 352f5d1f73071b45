//! Numbers: integers where possible, and never infinite or NaN.

use std::cmp::Ordering;

use uphold_model::Value;

use crate::call::Fault;

/// The smallest float beyond 64-bit integers: 2 to the power of 63.
const BEYOND: f64 = 9_223_372_036_854_775_808.0;

/// An integer or a float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    pub(crate) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Int(i) => Some(Number::Int(*i)),
            Value::Float(x) => Some(Number::Float(*x)),
            _ => None,
        }
    }

    /// As a float, if the conversion is exact.
    pub(crate) fn exact(self) -> Option<f64> {
        Some(self.float()).filter(|float| Number::Float(*float).compare(self).is_eq())
    }

    pub(crate) fn float(self) -> f64 {
        match self {
            Number::Int(i) => i as f64,
            Number::Float(x) => x,
        }
    }

    /// As an integer, if it is whole and fits.
    pub(crate) fn whole(self) -> Option<i64> {
        match self {
            Number::Int(i) => Some(i),
            Number::Float(x) if x.fract() == 0.0 && (-BEYOND..BEYOND).contains(&x) => Some(x as i64),
            Number::Float(_) => None,
        }
    }

    /// Exact, even between integers and floats that cannot represent them.
    pub(crate) fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a.cmp(&b),
            (Number::Float(a), Number::Float(b)) if a == b => Ordering::Equal,
            (Number::Float(a), Number::Float(b)) => a.total_cmp(&b),
            (Number::Int(a), Number::Float(b)) => compare_mixed(a, b),
            (Number::Float(a), Number::Int(b)) => compare_mixed(b, a).reverse(),
        }
    }

    /// The value: an integer if it is whole; an error if it is not finite.
    pub(crate) fn value(self) -> Result<Value, Fault> {
        match (self.whole(), self) {
            (Some(i), _) => Ok(Value::Int(i)),
            (None, Number::Float(x)) if x.is_finite() => Ok(Value::Float(x)),
            _ => Err(overflow()),
        }
    }
}

fn compare_mixed(a: i64, b: f64) -> Ordering {
    if b.is_nan() || b.abs() >= BEYOND {
        return 0.0_f64.total_cmp(&b);
    }
    a.cmp(&(b.floor() as i64)).then(if b.fract() == 0.0 { Ordering::Equal } else { Ordering::Less })
}

/// The value of a computed float.
pub(crate) fn value(x: f64) -> Result<Value, Fault> {
    Number::Float(x).value()
}

/// A length or a position.
pub(crate) fn count(count: usize) -> Value {
    Value::Int(i64::try_from(count).unwrap_or(i64::MAX))
}

/// The error for a result that is too large.
pub(crate) fn overflow() -> Fault {
    Fault::new("the result is too large for a number")
}

/// The error for a whole number of more than 64 bits.
pub(crate) fn too_wide(digits: &str) -> String {
    format!("{digits} does not fit into 64 bits")
}

/// Parses a decimal number, with or without an exponent.
pub(crate) fn parse(text: &str) -> Option<Value> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    match text.parse::<i64>() {
        Ok(i) => Some(Value::Int(i)),
        // A whole number that does not fit would be rounded.
        Err(_) if is_whole(text) => None,
        Err(_) => value(text.parse().ok()?).ok(),
    }
}

/// Whether `text` consists of the digits of a whole number.
pub(crate) fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The order of two numbers, exact even between integers and floats; none if one is not a number.
pub fn compare_numbers(a: &Value, b: &Value) -> Option<Ordering> {
    Some(Number::of(a)?.compare(Number::of(b)?))
}

// A total order of all values, for sets.

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
    fn whole_floats_become_whole_numbers() {
        let check = |x: f64, expected: &str| {
            assert_eq!(value(x).map(|v| v.to_string()).unwrap_or_default(), expected, "{x}");
        };
        check(3.0, "3");
        check(-0.0, "0");
        check(0.5, "0.5");
        check(BEYOND, "9223372036854776000");
        check(-BEYOND, "-9223372036854775808");
        check(f64::NAN, "");
        check(f64::INFINITY, "");
        assert_eq!(value(BEYOND), Ok(Value::Float(BEYOND)));
    }

    #[test]
    fn comparison_is_exact() {
        use Number::{Float, Int};
        let check = |a: Number, b: Number, expected| {
            assert_eq!(a.compare(b), expected, "{a:?} {b:?}");
            assert_eq!(b.compare(a), expected.reverse(), "{b:?} {a:?}");
        };
        check(Int(1), Float(1.5), Ordering::Less);
        check(Int(-1), Float(-1.5), Ordering::Greater);
        check(Int(2), Float(2.0), Ordering::Equal);
        check(Int(i64::MAX), Float(BEYOND), Ordering::Less);
        check(Int(i64::MIN), Float(-1e300), Ordering::Greater);
        check(Int((1 << 53) + 1), Float(9_007_199_254_740_992.0), Ordering::Greater);
        check(Float(0.0), Float(-0.0), Ordering::Equal);
    }

    #[test]
    fn only_decimal_text_is_a_number() {
        let check = |text: &str, expected: &str| {
            assert_eq!(parse(text).map(|v| v.to_string()).unwrap_or_default(), expected, "{text}");
        };
        check("12", "12");
        check("-1.50", "-1.5");
        check("1e3", "1000");
        check("1e999", "");
        check("9223372036854775808", "");
        check("9223372036854775808.0", "9223372036854776000");
        for text in ["", "inf", "nan", "+1", "0x10", " 1", "1 ", "-", "1_000"] {
            check(text, "");
        }
    }
}

#[cfg(test)]
mod order_tests {
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
