//! Rules for `#[check(…)]` that several kinds need.

use uphold_resource::Value;

/// Whether the value is a string without line breaks, which fits on one line of a file.
pub fn is_one_line(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.contains(['\n', '\r', '\0']))
}

/// Whether the value is a string without line breaks and without white space at its ends, which a program that
/// reads the file would drop.
pub fn is_trimmed_line(value: &Value) -> bool {
    is_one_line(value) && matches!(value, Value::Text(text) if text.trim() == &**text)
}

/// Whether the value is a list with at least one item.
pub fn is_not_empty(value: &Value) -> bool {
    matches!(value, Value::List(items) if !items.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_lines() {
        let check = |value: Value, one_line: bool, trimmed: bool| {
            assert_eq!((is_one_line(&value), is_trimmed_line(&value)), (one_line, trimmed), "{value}");
        };
        check(Value::text(""), true, true);
        check(Value::text("a b"), true, true);
        check(Value::text(" a"), true, false);
        check(Value::text("a\t"), true, false);
        check(Value::text("a\nb"), false, false);
        check(Value::text("a\r"), false, false);
        check(Value::text("a\0b"), false, false);
        check(Value::Int(1), false, false);
    }
}
