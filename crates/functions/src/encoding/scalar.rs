//! Plain scalars of YAML's core schema.

use uphold_model::Value;

use crate::number;

/// The value of a scalar without quotes.
///
/// # Errors
/// Numbers that cannot be represented: `.inf`, `.nan`, and too large ones.
pub(super) fn plain(text: &str) -> Result<Value, String> {
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => match numeric(text)? {
            Some(number) => number,
            None => Value::text(text),
        },
    })
}

/// A scalar with a tag of the core schema.
pub(super) fn tagged(text: &str, tag: &str) -> Result<Value, String> {
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

fn numeric(text: &str) -> Result<Option<Value>, String> {
    let too_large = || format!("{text} is too large for a number");
    let radix = |digits: &str, radix: u32| {
        if digits.chars().all(|c| c.is_digit(radix)) && !digits.is_empty() {
            i64::from_str_radix(digits, radix).map(Value::Int).map(Some).map_err(|_| too_large())
        } else {
            Ok(None)
        }
    };
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Err(format!("there is no number {text}"));
    }
    if !is_decimal(unsigned) {
        return Ok(None);
    }
    let text = text.strip_prefix('+').unwrap_or(text);
    match number::parse(text) {
        None if number::is_whole(text) => Err(number::too_wide(text)),
        number => number.map(Some).ok_or_else(too_large),
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
        check("+1", "1");
        check("-1.5e3", "-1500");
        check(".5", "0.5");
        check("1.", "1");
        check("1e", "\"1e\"");
        check(".", "\".\"");
        check("-", "\"-\"");
        check("1.2.3", "\"1.2.3\"");
        check("2024-01-01", "\"2024-01-01\"");
        check("12:30", "\"12:30\"");
        check("-.inf", "there is no number -.inf");
        check("1e999", "1e999 is too large for a number");
        check("18446744073709551615", "18446744073709551615 does not fit into 64 bits");
    }
}
