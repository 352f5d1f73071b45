//! Values of YAML with their places, and YAML of values.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use uphold_resource::{Result, Value};
use uphold_yaml as yaml;

use crate::documents::json::{quoted, written};
use crate::documents::key_path::{Body, Entry, Node};
use crate::documents::not_understood;

/// The name of an omitted key, as in `: 1`.
const NULL_KEY: &str = "null";

/// Parses all documents of the text.
///
/// # Errors
/// The syntax error, with line and column; or that a key is not supported.
pub(crate) fn read(text: &str) -> Result<Vec<Node>> {
    let mut reader = Reader { text, anchors: BTreeMap::new() };
    let documents = yaml::read(text).and_then(|all| all.into_iter().map(|root| reader.node(root)).collect());
    documents.map_err(|yaml::Error { line, column, what, .. }| not_understood("YAML", line, column, &what))
}

struct Reader<'t> {
    text: &'t str,
    anchors: BTreeMap<usize, Value>,
}

impl Reader<'_> {
    /// Recursion is as deep as the document, which its parser limits.
    fn node(&mut self, node: yaml::Node<'_>) -> Result<Node, yaml::Error> {
        let body = match node.body {
            yaml::Body::Scalar(scalar) => Body::Scalar(value(scalar, node.tag)),
            yaml::Body::List(items, style) => {
                Body::List(items.into_iter().map(|item| self.node(item)).collect::<Result<_, _>>()?, style)
            }
            yaml::Body::Map(entries, style) => Body::Map(self.entries(entries)?, style),
            yaml::Body::Alias(anchor) => Body::Alias(self.anchors.get(&anchor).cloned().unwrap_or_default()),
        };
        let found = Node { span: node.span, body };
        if let Some(anchor) = node.anchor {
            self.anchors.insert(anchor, found.value());
        }
        Ok(found)
    }

    fn entries(&mut self, nodes: Vec<(yaml::Node<'_>, yaml::Node<'_>)>) -> Result<Vec<Entry>, yaml::Error> {
        let mut names = BTreeSet::new();
        let mut entries = Vec::new();
        for (key, node) in nodes {
            let name = key_name(&key.body).map_err(|why| yaml::Error::new(self.text, key.span.start, why))?;
            if !names.insert(name.clone()) {
                let why = format!("the key {name:?} occurs twice");
                return Err(yaml::Error::new(self.text, key.span.start, why));
            }
            entries.push(entry(self.text, name, key.span, self.node(node)?));
        }
        Ok(entries)
    }
}

fn key_name(key: &yaml::Body<'_>) -> Result<String, &'static str> {
    match key {
        // An omitted key is null, and not the empty string.
        yaml::Body::Scalar(key) if key.is_plain && key.text.is_empty() => Ok(NULL_KEY.to_owned()),
        yaml::Body::Scalar(key) => Ok(key.text.to_string()),
        yaml::Body::Alias(_) => Err("a key that is an alias is not supported"),
        _ => Err("a key that is not a plain string is not supported"),
    }
}

/// The value of a scalar. One without a value, as with the tag of an application, is a string that includes the tag, so
/// that it differs from others.
fn value(scalar: yaml::Scalar<'_>, tag: Option<String>) -> Value {
    scalar.value.unwrap_or_else(|_| match tag {
        Some(tag) => Value::text(format!("{tag} {}", scalar.text)),
        None => Value::text(&*scalar.text),
    })
}

/// An omitted value is positioned directly after the colon.
fn entry(text: &str, key: String, key_span: Range<usize>, mut value: Node) -> Entry {
    if value.span.is_empty() && matches!(value.body, Body::Scalar(Value::Null)) {
        let behind = &text[key_span.end..];
        let gap = behind.len() - behind.trim_start_matches([' ', '\t']).len();
        let at = key_span.end + gap;
        if text[at..].starts_with(':') {
            value.span = at + 1..at + 1;
        }
    }
    Entry { key, key_span, value }
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
    fn scalars_without_a_value_are_strings() {
        let check = |text: &str, expected: &str| {
            assert_eq!(read(text).unwrap()[0].value().to_string(), expected, "{text}");
        };
        check("0x1f", "31");
        check("!!str 1", "\"1\"");
        check(".nan", "\".nan\"");
        check("18446744073709551615", "\"18446744073709551615\"");
        check("!vault x", "\"!vault x\"");
    }
}
