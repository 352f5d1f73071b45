//! YAML scalars: parsing and formatting.

use saphyr_parser::{ScalarStyle, Tag};
use uphold_resource::Value;

use crate::edits::json::{quoted, written};

/// The value of a scalar. A scalar with an application-specific tag is a string that includes the tag, so that it
/// differs from others.
pub(super) fn value(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    match tag {
        Some(tag) if tag.is_yaml_core_schema() && tag.suffix == "str" => Value::text(text),
        Some(tag) if tag.is_yaml_core_schema() => plain(text),
        Some(tag) if tag.handle.is_empty() && tag.suffix == "!" => Value::text(text),
        Some(tag) => Value::text(format!("{tag} {text}")),
        None if style == ScalarStyle::Plain => plain(text),
        None => Value::text(text),
    }
}

/// The value of an unquoted scalar, by YAML's core schema.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).unwrap_or_else(|| Value::text(text)),
    }
}

fn number(text: &str) -> Option<Value> {
    let radix = |digits: &str, radix| i64::from_str_radix(digits, radix).ok().map(Value::Int);
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    // Rust also parses `inf` and `nan` as floats, which YAML does not.
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let float = || text.parse().ok().filter(|float: &f64| float.is_finite()).map(Value::Float);
    text.parse().ok().map(Value::Int).or_else(float)
}

/// Formats a scalar, without quotes where no parser could misread it.
pub(super) fn write(value: &Value) -> String {
    match value {
        Value::Text(text) if is_plain(text) => text.to_string(),
        other => written(other),
    }
}

/// Formats a key.
pub(super) fn write_key(key: &str) -> String {
    if is_plain(key) { key.to_owned() } else { quoted(key) }
}

/// Words that older parsers do not read as strings.
const WORDS: &[&str] = &["true", "false", "yes", "no", "on", "off", "y", "n", "null"];

fn is_plain(text: &str) -> bool {
    let first = text.starts_with(|first: char| first.is_ascii_alphabetic() || matches!(first, '_' | '/'));
    let others = text.chars().all(|other| other.is_ascii_alphanumeric() || "_/.@+- ".contains(other));
    first && others && !text.ends_with(' ') && !WORDS.contains(&text.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_ambiguous_strings() {
        let check = |value: Value, expected: &str| assert_eq!(write(&value), expected);
        let text = |text: &str| Value::text(text);
        check(text("plain text"), "plain text");
        check(text("/etc/x.conf"), "/etc/x.conf");
        check(text("yes"), "\"yes\"");
        check(text("Null"), "\"Null\"");
        check(text("12"), "\"12\"");
        check(text("0777"), "\"0777\"");
        check(text("1:30"), "\"1:30\"");
        check(text("a: b"), "\"a: b\"");
        check(text("a #b"), "\"a #b\"");
        check(text("- a"), "\"- a\"");
        check(text(""), "\"\"");
        check(text(" a"), "\" a\"");
        check(text("a "), "\"a \"");
        check(text("a\nb"), "\"a\\nb\"");
        check(text("é"), "\"é\"");
        check(Value::Float(0.5), "0.5");
        check(Value::Null, "null");
    }

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        let check = |text: &str, expected: &str| assert_eq!(plain(text).to_string(), expected, "{text}");
        check("yes", "\"yes\"");
        check("0x1f", "31");
        check("0o17", "15");
        check("-1.5", "-1.5");
        check(".5", "0.5");
        check(".nan", "\".nan\"");
        check("inf", "\"inf\"");
        check("12:30", "\"12:30\"");
        check("~", "null");
    }
}
