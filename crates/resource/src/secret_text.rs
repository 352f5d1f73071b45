//! Values that show a secret although they are not the property that was set to it.

use uphold_model::{Difference, Side, Value};

/// Whether `value` contains the text of `secret`, or of a part of it.
///
/// A kind may carry one property over into another. The engine knows only which properties were computed from a secret,
/// so a value that shows the same text is taken for one, too.
pub(crate) fn shows(value: &Value, secret: &Value) -> bool {
    match secret.reveal() {
        Value::List(parts) => parts.iter().any(|part| shows(value, part)),
        Value::Map(parts) => parts.values().any(|part| shows(value, part)),
        secret => text(secret).is_some_and(|text| contains(value, text.trim())),
    }
}

/// Whether a side of the difference does.
pub(crate) fn is_shown_by(secret: &Value, difference: &Difference) -> bool {
    [&difference.from, &difference.to].into_iter().filter_map(Side::value).any(|value| shows(value, secret))
}

fn contains(value: &Value, secret: &str) -> bool {
    match value.reveal() {
        _ if secret.is_empty() => false,
        Value::List(items) => items.iter().any(|item| contains(item, secret)),
        Value::Map(items) => items.iter().any(|(key, item)| key.contains(secret) || contains(item, secret)),
        value => text(value).is_some_and(|text| text.contains(secret)),
    }
}

/// The text of a single value. True, false and null are no secrets that could be recognised.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.to_string()),
        Value::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        Value::Int(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_found_in_other_values() {
        let check = |value: Value, secret: Value, expected: bool| {
            assert_eq!(shows(&value, &secret), expected, "{value:?}, {secret:?}");
        };
        check("hunter2".into(), "hunter2".into(), true);
        check("a = hunter2".into(), "hunter2\n".into(), true);
        check(Value::list(["x".into(), "hunter2".into()]), "hunter2".into(), true);
        check("42".into(), Value::Int(42), true);
        check("hunter2".into(), Value::list(["a b".into(), "hunter2".into()]), true);
        check("0600".into(), "hunter2".into(), false);
        check("0600".into(), "".into(), false);
        check(Value::Bool(true), Value::Bool(true), false);
    }
}
