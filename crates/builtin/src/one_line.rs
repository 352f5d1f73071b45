//! Text that has to fit into one line of a file.

use uphold_resource::Value;

/// Whether it is one line of text.
pub(crate) fn is_one_line(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.contains(['\n', '\r', '\0']))
}

/// Whether it is one line of text, and no blanks are around it: they would be lost.
pub(crate) fn is_trimmed_line(value: &Value) -> bool {
    is_one_line(value) && matches!(value, Value::Text(text) if text.trim() == &**text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
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
