//! Scalars of YAML's core schema.

use saphyr_parser::Tag;
use uphold_model::Value;

/// The prefix of core schema tags.
const CORE: &str = "tag:yaml.org,2002:";

/// The value of a scalar.
///
/// # Errors
/// Unknown tags, and [`plain`].
pub(crate) fn value(text: &str, is_plain: bool, tag: Option<&Tag>) -> Result<Value, String> {
    match tag {
        Some(tag) if tag.is_yaml_core_schema() => tagged(text, &tag.suffix),
        // In full: `!<tag:yaml.org,2002:str>`.
        Some(tag) if tag.handle.is_empty() && tag.suffix.starts_with(CORE) => {
            tagged(text, &tag.suffix[CORE.len()..])
        }
        // A single `!` marks a string.
        Some(tag) if tag.handle.is_empty() && tag.suffix == "!" => Ok(Value::text(text)),
        Some(tag) => Err(format!("the tag `{tag}` is unknown")),
        None if is_plain => plain(text),
        None => Ok(Value::text(text)),
    }
}

/// The value of a scalar without quotes.
///
/// # Errors
/// Numbers that cannot be represented: `.inf`, `.nan`, and too large ones.
fn plain(text: &str) -> Result<Value, String> {
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text)?.unwrap_or_else(|| Value::text(text)),
    })
}

/// A scalar with a tag of the core schema.
fn tagged(text: &str, tag: &str) -> Result<Value, String> {
    let expected = match tag {
        "str" => return Ok(Value::text(text)),
        "null" => "null",
        "bool" => "a bool",
        "int" | "float" => "a number",
        _ => return Err(format!("the tag `!!{tag}` is unknown")),
    };
    let value = plain(text)?;
    if value.type_name() == expected {
        Ok(value)
    } else {
        Err(format!("{text:?} is not {expected}, as its tag says"))
    }
}

fn number(text: &str) -> Result<Option<Value>, String> {
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        let Some(digits) = text.strip_prefix(prefix) else { continue };
        let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
        return is_number.then(|| i64::from_str_radix(digits, radix)).transpose().map_or_else(
            |_| Err(format!("{text} is too large for a number")),
            |int| Ok(int.map(Value::Int)),
        );
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Err(format!("there is no number {text}"));
    }
    if !is_decimal(unsigned) {
        return Ok(None);
    }
    if unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        // As a float, a whole number that does not fit would be rounded.
        let text = text.strip_prefix('+').unwrap_or(text);
        let int = text.parse().map_err(|_| format!("{text} does not fit into 64 bits"));
        return int.map(|int| Some(Value::Int(int)));
    }
    match text.parse::<f64>() {
        Ok(float) if float.is_finite() => Ok(Some(Value::Float(float))),
        _ => Err(format!("{text} is too large for a number")),
    }
}

/// `[0-9]*(\.[0-9]*)?([eE][-+]?[0-9]+)?` with a digit in its first part.
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let some = !whole.is_empty() || !fraction.is_empty();
    some && digits(whole) && digits(fraction) && exponent.is_none_or(|e| !e.is_empty() && digits(e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        let check = |text: &str, expected: &str| {
            assert_eq!(plain(text).map_or_else(|e| e, |value| value.to_string()), expected, "{text}");
        };
        check("", "null");
        check("~", "null");
        check("True", "true");
        check("yes", "\"yes\"");
        check("010", "10");
        check("0x1F", "31");
        check("0o17", "15");
        check("0xZ", "\"0xZ\"");
        check("0xFFFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFF is too large for a number");
        check("+1", "1");
        check("-1.5", "-1.5");
        check(".5", "0.5");
        check("1e", "\"1e\"");
        check(".", "\".\"");
        check("-", "\"-\"");
        check("inf", "\"inf\"");
        check("1.2.3", "\"1.2.3\"");
        check("2024-01-01", "\"2024-01-01\"");
        check("12:30", "\"12:30\"");
        check("-.inf", "there is no number -.inf");
        check("1e999", "1e999 is too large for a number");
        check("18446744073709551615", "18446744073709551615 does not fit into 64 bits");
        assert_eq!(plain("-1.5e3"), Ok(Value::Float(-1500.0)));
        assert_eq!(plain("1."), Ok(Value::Float(1.0)));
    }
}
