//! Validation of values in unit files.

use uphold_resource::Value;

/// Whether the value is true, for properties that cannot be false.
pub(crate) fn is_true(value: &Value) -> bool {
    *value == Value::Bool(true)
}

/// Whether the string survives a round trip through a unit file: a backslash at its end would join the next line.
pub(crate) fn is_line(value: &Value) -> bool {
    matches!(value, Value::Text(text) if is_one_line(text) && text.trim() == &**text && !text.ends_with('\\'))
}

/// Whether all are valid names of variables with single-line values.
pub(crate) fn are_variables(value: &Value) -> bool {
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_');
    let is_value = |value: &Value| matches!(value, Value::Text(text) if is_one_line(text));
    matches!(value, Value::Map(map) if map.iter().all(|(name, value)| is_name(name) && is_value(value)))
}

/// Whether the string has no line breaks.
pub(crate) fn is_one_line(text: &str) -> bool {
    !text.contains(['\n', '\r', '\0'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_lines() {
        let check = |text: &str, expected| assert_eq!(is_line(&Value::text(text)), expected, "{text:?}");
        check("", true);
        check("/bin/true a\\b", true);
        check("a\n[Service]", false);
        check(" a", false);
        check("a\\", false);
    }

    #[test]
    fn checks_variables() {
        let check = |name: &str, value: &str, expected| {
            let map = Value::map([(name, Value::text(value))]);
            assert_eq!(are_variables(&map), expected, "{name:?} {value:?}");
        };
        check("A_1", "b = \"c\"", true);
        check("A B", "c", false);
        check("", "c", false);
        check("A", "b\nc", false);
    }
}
