//! Editing JSON in place.

mod reader;

use uphold_resource::{Result, Value};

use crate::documents::flow::{Flow, Pad, Syntax};
use crate::documents::key_path::{Node, wrapped};
use crate::documents::patch::{begins_line, indentation};
use crate::documents::value_tree::Change;
use crate::documents::{Format, not_editable};

/// JSON, with comments and trailing commas allowed.
#[derive(Clone, Copy, Debug)]
pub struct Json;

/// The indentation of a level if the document has no example.
const UNIT: &str = "  ";

impl Format for Json {
    fn documents(text: &str) -> Result<Vec<Value>> {
        Ok(reader::read(text)?.iter().map(Node::value).collect())
    }

    fn change(&self, text: &str, change: &Change) -> Result<String> {
        let Some(root) = reader::read(text)? else {
            let value = wrapped(&change.at, change.to.as_ref().unwrap_or(&Value::Null));
            return Ok(format!("{text}{}", write_json(&value)));
        };
        let flow = Flow { text, syntax: &JsonSyntax, unit: unit(text) };
        let Some(value) = &change.to else {
            let (last, way) =
                change.at.split_last().ok_or_else(|| not_editable("the key is the whole document"))?;
            return Ok(flow.remove(root.walk(way).0, last)?.apply(text));
        };
        let (node, found) = root.walk(&change.at);
        let missing = &change.at[found.len()..];
        let patch = match missing.split_first() {
            None => flow.replace(node, value),
            // Null counts as missing.
            Some(_) if node.value() == Value::Null => flow.replace(node, &wrapped(missing, value)),
            Some((step, rest)) => flow.add(node, step, &wrapped(rest, value))?,
        };
        Ok(patch.apply(text))
    }
}

/// Parses a whole document.
///
/// # Errors
/// The syntax error, with line and column.
pub fn read_json(content: &[u8]) -> Result<Value> {
    let root = reader::read(&String::from_utf8_lossy(content))?;
    Ok(root.map_or(Value::Null, |root| root.value()))
}

/// Formats a whole document on several lines.
pub fn write_json(value: &Value) -> String {
    format!("{}\n", JsonSyntax.value(value, Some(&Pad { outer: "", unit: UNIT })))
}

/// The indentation of a level, taken from the first indented line. None for a document on a single line.
fn unit(text: &str) -> Option<&str> {
    let is_indented = |at: &usize| begins_line(text, *at) && !indentation(text, *at).is_empty();
    let first = text.match_indices('"').map(|(at, _)| at).find(is_indented);
    let is_on_lines = text.trim() == "{}" || text.trim_end().contains('\n');
    is_on_lines.then(|| first.map_or(UNIT, |at| indentation(text, at)))
}

/// The syntax of JSON.
pub(crate) struct JsonSyntax;

impl Syntax for JsonSyntax {
    const COMMENT: &'static str = "//";

    fn key(&self, key: &str) -> String {
        quoted(key)
    }

    fn scalar(&self, scalar: &Value) -> String {
        written(scalar)
    }
}

/// Formats a scalar.
pub(crate) fn written(value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text),
        Value::Bool(bool) => bool.to_string(),
        Value::Int(int) => int.to_string(),
        Value::Float(float) => float.to_string(),
        _ => "null".to_owned(),
    }
}

/// A string in double quotes, valid in JSON and YAML.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => quoted.push_str(&escaped(character)),
            control if control.is_control() => quoted.push_str(&escaped(control)),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

fn escaped(character: char) -> String {
    format!("\\u{:04x}", u32::from(character))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::trial::{Trial, map};

    const JSON: Trial<Json> = Trial(Json);

    #[test]
    fn replaces_values_in_place() {
        JSON.put_on_lines(
            "{\n\t\"a\": 1, // one\n\t\"b\": 2\n}\n",
            "a",
            9,
            "{\n\t\"a\": 9, // one\n\t\"b\": 2\n}\n",
        );
        JSON.put("{\"a\":{\"b\":[1,2]}}", "a.b[1]", "x", "{\"a\":{\"b\":[1,\"x\"]}}");
        JSON.put("{\"a\": [1, 2]}", "a", Value::list([]), "{\"a\": []}");
        JSON.put("{\n  \"a\": 1\n}", "a", map(&[("x", 1)]), "{\n  \"a\": {\n    \"x\": 1\n  }\n}");
        JSON.put("[1, 2]", "[0]", Value::Null, "[null, 2]");
        JSON.put("{\"é\": \"ü\"} ", "é", "\"\\\n", "{\"é\": \"\\\"\\\\\\n\"} ");
        JSON.put("{\"a\": 1.0}", "a", 1, "{\"a\": 1.0}");
        // Of a map, only differing members are edited.
        let before = "{\n  \"m\": {\n    // why\n    \"x\": 1,\n    \"y\": 2\n  }\n}\n";
        JSON.put(before, "m", map(&[("x", 1), ("y", 3)]), &before.replace("\"y\": 2", "\"y\": 3"));
        JSON.put(before, "m", map(&[("x", 1)]), &before.replace(",\n    \"y\": 2", ""));
    }

    #[test]
    fn new_members_look_like_their_siblings() {
        JSON.put("", "a.b", 1, "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n");
        JSON.put("{}\n", "a", 1, "{\n  \"a\": 1\n}\n");
        JSON.put("{}", "a.b", 1, "{\n  \"a\": {\n    \"b\": 1\n  }\n}");
        JSON.put("null", "a", 1, "{\"a\": 1}");
        JSON.put("{\"a\":1}", "b", 2, "{\"a\":1,\"b\":2}");
        JSON.put("{ \"a\": 1 }", "b", 2, "{ \"a\": 1, \"b\": 2 }");
        JSON.put_on_lines("{\n    \"a\": 1\n}\n", "b", 2, "{\n    \"a\": 1,\n    \"b\": 2\n}\n");
        let nested = "{\n    \"a\": 1,\n    \"b\": {\n        \"c\": 2\n    }\n}\n";
        JSON.put("{\n    \"a\": 1\n}\n", "b.c", 2, nested);
        JSON.put("{\n  \"a\": 1 // one\n}\n", "b", 2, "{\n  \"a\": 1, // one\n  \"b\": 2\n}\n");
        JSON.put("{\n  \"a\": 1, // one\n}\n", "b", 2, "{\n  \"a\": 1, // one\n  \"b\": 2,\n}\n");
        JSON.put("{\n  \"a\": {}\n}\n", "a.b", 2, "{\n  \"a\": {\n    \"b\": 2\n  }\n}\n");
        JSON.put("{\n  // none yet\n}\n", "b", 2, "{\n  // none yet\n  \"b\": 2\n}\n");
        JSON.put("[1, 2]", "[2]", 3, "[1, 2, 3]");
        JSON.put("{\n  \"a\": [\n    1\n  ]\n}", "a[1]", 2, "{\n  \"a\": [\n    1,\n    2\n  ]\n}");
        JSON.put("// only a comment\n", "a", 1, "// only a comment\n{\n  \"a\": 1\n}\n");
    }

    #[test]
    fn members_are_removed_with_their_comma() {
        JSON.remove("{\"a\":1,\"b\":2,\"c\":3}", "a", "{\"b\":2,\"c\":3}");
        JSON.remove("{\"a\":1,\"b\":2,\"c\":3}", "b", "{\"a\":1,\"c\":3}");
        JSON.remove("{\"a\":1,\"b\":2,\"c\":3}", "c", "{\"a\":1,\"b\":2}");
        JSON.remove("{ \"a\": 1, \"b\": 2 }", "a", "{ \"b\": 2 }");
        JSON.remove("{ \"a\": 1, \"b\": 2 }", "b", "{ \"a\": 1 }");
        JSON.remove("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "a", "{\n  \"b\": 2\n}\n");
        JSON.remove("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "b", "{\n  \"a\": 1\n}\n");
        JSON.remove("{\n  \"a\": 1,\n  \"b\": 2,\n}\n", "b", "{\n  \"a\": 1,\n}\n");
        JSON.remove("{\n  \"a\": 1, // one\n  \"b\": 2\n}\n", "b", "{\n  \"a\": 1 // one\n}\n");
        JSON.remove("{\n  \"a\": 1\n}\n", "a", "{\n}\n");
        JSON.remove("{\"a\": 1}", "a", "{}");
        JSON.remove("{\"a\": [1, 2, 3]}", "a[1]", "{\"a\": [1, 3]}");
        JSON.remove("{\"a\": 1}", "b", "{\"a\": 1}");
    }

    #[test]
    fn reports_the_position_of_a_syntax_error() {
        JSON.refuse("{\n  \"a\": 1,\n  b\n}", "a", 2, "the file is not valid JSON: line 3, column 3");
        JSON.refuse("{\"a\": 1 \"b\": 2}", "a", 2, "line 1, column 8: Expected comma");
        JSON.refuse("{\"a\": 1, \"a\": 2}", "a", 2, "the key \"a\" occurs twice");
        JSON.refuse("{\"a\": 1}", "a.b", 2, "`a` is a number");
        JSON.refuse("{\"a\": 1e999}", "a", 2, "too large");
        JSON.refuse("[1]", "[3]", 2, "has 1 items, too few");
        JSON.refuse(&"[".repeat(100_000), "a", 2, "the file is not valid JSON");
    }

    #[test]
    fn random_documents_are_edited_or_refused() {
        let edited = crate::documents::trial::fuzz(&Json, 20_000);
        assert!(edited > 20, "{edited}");
    }
}
