//! Numbers.

use uphold_model::{Problem, Type, Value};

use super::{mismatch, refused};
use crate::property::{Context, Property};

/// Reads an integer: a number without a fraction, or a string that is one, also in octal, hexadecimal or binary with a
/// prefix.
fn integer(value: &Value, min: i64, max: i64) -> Result<i64, Problem> {
    let number = match value {
        Value::Int(number) => *number,
        Value::Text(text) => {
            parse(text).ok_or_else(|| mismatch(value, "a whole number", "write a number"))?
        }
        Value::Float(_) => return Err(refused(value, "must be a whole number", "remove the fraction")),
        other => return Err(mismatch(other, "a whole number", "write a number, without quotes")),
    };
    if (min..=max).contains(&number) {
        Ok(number)
    } else {
        Err(refused(value, format!("must be from {min} to {max}"), "choose a number in that range"))
    }
}

fn parse(text: &str) -> Option<i64> {
    let based = [("0o", 8), ("0x", 16), ("0b", 2)]
        .into_iter()
        .find_map(|(prefix, base)| Some((text.strip_prefix(prefix)?, base)));
    match based {
        Some((digits, base)) if digits.starts_with(|c: char| c.is_ascii_alphanumeric()) => {
            i64::from_str_radix(digits, base).ok()
        }
        Some(_) => None,
        None => text.parse().ok(),
    }
}

macro_rules! integers {
    ($($int:ty: $min:expr, $max:expr;)*) => {$(
        impl Property for $int {
            const TYPE: &'static Type = &Type::Int($min, $max);

            fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
                let number = integer(value, $min, $max)?;
                Ok(<$int>::try_from(number).expect("the range was checked"))
            }

            fn to_value(&self) -> Value {
                Value::Int(i64::try_from(*self).unwrap_or(i64::MAX))
            }
        }
    )*};
}

integers! {
    u8: 0, u8::MAX as i64;
    u16: 0, u16::MAX as i64;
    u32: 0, u32::MAX as i64;
    u64: 0, i64::MAX;
    usize: 0, i64::MAX;
    i8: i8::MIN as i64, i8::MAX as i64;
    i16: i16::MIN as i64, i16::MAX as i64;
    i32: i32::MIN as i64, i32::MAX as i64;
    i64: i64::MIN, i64::MAX;
}

/// A number, or a string that is one.
impl Property for f64 {
    const TYPE: &'static Type = &Type::Float;

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        match value {
            Value::Float(x) => Ok(*x),
            Value::Int(i) => Ok(*i as f64),
            Value::Text(text) if text.parse::<f64>().is_ok_and(f64::is_finite) => {
                Ok(text.parse().unwrap_or_default())
            }
            other => Err(mismatch(other, "a number", "write a number, without quotes")),
        }
    }

    fn to_value(&self) -> Value {
        Value::Float(*self)
    }
}
