//! Writing YAML in block style.

use uphold_model::{Map, Value};

use super::json::{quoted, unwritable};
use crate::bounds::Bounded;
use crate::call::Fault;
use crate::number::Number;

/// The YAML document of a value that was inspected.
pub(super) fn encode(value: &Value) -> Result<String, Fault> {
    let mut writer = Writer { text: Bounded::default() };
    match value {
        Value::List(items) if !items.is_empty() => writer.list(items, 0)?,
        Value::Map(map) if !map.is_empty() => writer.map(map, 0)?,
        scalar => {
            writer.scalar(scalar, 1)?;
            writer.text.push("\n")?;
        }
    }
    Ok(writer.text.into_string())
}

struct Writer {
    text: Bounded,
}

impl Writer {
    /// Writes every entry on its own lines. The first starts at the current position.
    fn map(&mut self, map: &Map, level: usize) -> Result<(), Fault> {
        for (index, (key, value)) in map.iter().enumerate() {
            if index > 0 {
                self.indent(level)?;
            }
            self.text.push(&quoted(key))?;
            self.text.push(":")?;
            match value {
                // Dashes are aligned with the key.
                Value::List(items) if !items.is_empty() => {
                    self.text.push("\n")?;
                    self.indent(level)?;
                    self.list(items, level)?;
                }
                Value::Map(map) if !map.is_empty() => {
                    self.text.push("\n")?;
                    self.indent(level + 1)?;
                    self.map(map, level + 1)?;
                }
                scalar => self.line(scalar, level + 1)?,
            }
        }
        Ok(())
    }

    fn list(&mut self, items: &[Value], level: usize) -> Result<(), Fault> {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.indent(level)?;
            }
            self.text.push("-")?;
            match item {
                Value::List(items) if !items.is_empty() => {
                    self.text.push(" ")?;
                    self.list(items, level + 1)?;
                }
                Value::Map(map) if !map.is_empty() => {
                    self.text.push(" ")?;
                    self.map(map, level + 1)?;
                }
                scalar => self.line(scalar, level + 1)?,
            }
        }
        Ok(())
    }

    fn indent(&mut self, level: usize) -> Result<(), Fault> {
        self.text.repeat("  ", level)
    }

    fn line(&mut self, value: &Value, level: usize) -> Result<(), Fault> {
        self.text.push(" ")?;
        self.scalar(value, level)?;
        self.text.push("\n")
    }

    fn scalar(&mut self, value: &Value, level: usize) -> Result<(), Fault> {
        match value {
            Value::Text(text) if is_block(text) => self.block(text, level),
            Value::Text(text) => self.text.push(&quoted(text)),
            Value::List(_) => self.text.push("[]"),
            Value::Map(_) => self.text.push("{}"),
            Value::Null | Value::Bool(_) | Value::Int(_) => self.text.push(&value.to_string()),
            // Like `jsonencode`: a whole number has no fraction, and a long one has an exponent.
            Value::Float(x) => match Number::Float(*x).whole() {
                Some(whole) => self.text.push(&whole.to_string()),
                None => self.text.push(&format!("{x:?}")),
            },
            other => Err(unwritable(other)),
        }
    }

    /// A string of several lines as a block. Its last line break is the one after the scalar.
    fn block(&mut self, text: &str, level: usize) -> Result<(), Fault> {
        let (body, sign) = match text.strip_suffix('\n') {
            Some(body) => (body, "|"),
            None => (text, "|-"),
        };
        self.text.push(sign)?;
        for line in body.split('\n') {
            self.text.push("\n")?;
            if !line.is_empty() {
                self.indent(level)?;
                self.text.push(line)?;
            }
        }
        Ok(())
    }
}

/// Whether a string can be a block: several lines, the first and the last neither empty nor starting with a space, and
/// no character that needs an escape.
fn is_block(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let plain =
        |c: char| c == '\n' || (!c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}'));
    text.contains('\n')
        && !body.is_empty()
        && !body.starts_with(char::is_whitespace)
        && !body.ends_with('\n')
        && text.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::super::yaml::decode;
    use super::*;

    #[test]
    fn written_documents_parse_back() {
        let text = |text: &str| Value::text(text);
        let nested = Value::map([
            ("empty", Value::list([Value::list([]), Value::map::<&str>([])])),
            ("block", text("a\n  b\n\nc\n")),
            ("chomped", text("a\nb")),
            (
                "odd",
                Value::list(
                    ["a\n\n", "\na", " a\nb", "\t\n", "yes", "1", "#", "a: b\u{7f}\u{85}é"].map(text),
                ),
            ),
            (
                "lists",
                Value::list([Value::list([Value::Int(1), Value::list([Value::Null])]), Value::Float(0.5)]),
            ),
            (
                "maps",
                Value::list([Value::map([("a", Value::Int(1)), ("b", Value::map([("c", text("x\ny"))]))])]),
            ),
            ("", Value::Float(1e300)),
            ("<<", Value::Bool(true)),
        ]);
        for value in
            [nested, text("a\nb\n"), text("a"), Value::Null, Value::list([]), Value::list([text("x\ny\n")])]
        {
            let written = encode(&value).unwrap_or_default();
            assert_eq!(decode(&written), Ok(value), "{written}");
        }
    }

    #[test]
    fn large_and_deep_documents_are_rejected() {
        let check = |text: &str, expected: &str| match decode(text) {
            Ok(value) => panic!("{expected}: {}", value.type_name()),
            Err(message) => assert!(message.contains(expected), "{message}"),
        };
        let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for i in 1..10 {
            let alias = format!("*a{}", i - 1);
            laughs += &format!("a{i}: &a{i} [{}]\n", vec![alias; 10].join(", "));
        }
        check(&laughs, "with all aliases expanded");
        check(&"[".repeat(100_000), "");
        check(&"- ".repeat(100_000), "");
        check(&"{a: ".repeat(200), "");
        check("&a [*a]", "refers to its own parent");
        check("a: 1\na: 2", "the key \"a\" occurs twice, in line 2");
        check("a: 1\n---\nb: 2", "more than one document");
        check("a: !secret b", "is unknown");
        check("[a]: b", "a key must be a string, not a list");
        check("a: *b", "not YAML");
    }

    #[test]
    fn merge_keys_and_tags_are_supported() {
        let check = |text: &str, expected: &str| {
            assert_eq!(decode(text).map(|v| v.to_string()), Ok(expected.to_owned()), "{text}");
        };
        check("", "null");
        check("a: &a {x: 1, y: 2}\nb: {<<: *a, x: 3}", "{ a = { x = 1, y = 2 }, b = { x = 3, y = 2 } }");
        check("b:\n  <<: [{x: 1}, {x: 2, y: 3}]\n", "{ b = { x = 1, y = 3 } }");
        check("- !!str 1\n- !!int \"2\"\n- ! 3\n", "[\"1\", 2, \"3\"]");
        check("1: a\ntrue: b\n~: c", "{ \"1\" = \"a\", null = \"c\", true = \"b\" }");
        check("'<<': 1", "{ \"<<\" = 1 }");
        check("[-1.5e3, 1., 0x1F]", "[-1500, 1, 31]");
        check("!<tag:yaml.org,2002:str> true", "\"true\"");
        check("[!<tag:yaml.org,2002:int> '2']", "[2]");
        check("|\n  a", "\"a\"");
        check("|\n  a\n", "\"a\\n\"");
        check("|\n  a\n  b", "\"a\\nb\"");
        check(">\n  a\n  b", "\"a b\"");
        check("x: |\n  a\ny: |+\n  b", "{ x = \"a\\n\", y = \"b\" }");
        check("x: |\n  a\nb: |\n  a", "{ b = \"a\", x = \"a\\n\" }");
        check("x: |\n  é\n  é", "{ x = \"é\\né\" }");
        check("x: |\n  a\n# a", "{ x = \"a\\n\" }");
    }
}
