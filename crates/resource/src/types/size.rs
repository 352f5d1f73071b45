//! Sizes in bytes.

use uphold_model::{Problem, Type, Value};

use super::{mismatch, refused};
use crate::property::{Context, Property};

const FIX: &str = r#"write a size such as "512", "10K", "1.5GiB" or "2GB""#;

/// A number of bytes: `4096`, `"10K"`, `"1.5GiB"` (powers of 1024), `"2GB"` (powers of 1000).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size(pub u64);

impl Property for Size {
    const TYPE: &'static Type =
        &Type::Named { name: "size", doc: "a number of bytes, with or without unit", example: r#""10MiB""# };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let bytes = match value {
            Value::Int(bytes) => u64::try_from(*bytes).ok(),
            Value::Text(text) => parse(text),
            other => return Err(mismatch(other, "a size", FIX)),
        };
        // A larger number than `i64::MAX` could not be printed again.
        bytes
            .filter(|bytes| i64::try_from(*bytes).is_ok())
            .map(Size)
            .ok_or_else(|| refused(value, "is not a size", FIX))
    }

    fn to_value(&self) -> Value {
        Value::Int(i64::try_from(self.0).unwrap_or(i64::MAX))
    }
}

fn parse(text: &str) -> Option<u64> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (digits, unit) = text.split_at(split);
    let (letter, base) = match unit.trim_start() {
        "" | "B" => ('B', 1),
        unit => match unit.strip_suffix("iB").or_else(|| (unit.len() == 1).then_some(unit)) {
            Some(letter) => (only(letter)?, 1024_u64),
            None => (only(unit.strip_suffix('B')?)?, 1000),
        },
    };
    let power = "BKMGTP".find(letter.to_ascii_uppercase())?;
    let factor = base.checked_pow(u32::try_from(power).ok()?)?;
    match digits.parse::<u64>() {
        Ok(whole) => whole.checked_mul(factor),
        Err(_) if digits.contains('.') => {
            let bytes = digits.parse::<f64>().ok()? * factor as f64;
            (bytes < i64::MAX as f64).then_some(bytes.round() as u64)
        }
        Err(_) => None,
    }
}

/// The only character of a string.
fn only(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn reads_sizes_with_units() {
        let check = |text, bytes| assert_eq!(parse(text), bytes, "{text}");
        check("512", Some(512));
        check("512B", Some(512));
        check("10K", Some(10_240));
        check("10 KiB", Some(10_240));
        check("2GB", Some(2_000_000_000));
        check("1.5MiB", Some(1_572_864));
        for wrong in ["", "K", "-1", "10X", "10KB/s", "10KMB", "10KMiB", "10iB", "99999999999999999999"] {
            check(wrong, None);
        }
    }
}
