//! A manifest as it was read, and places of values in it, computed only for messages.

use std::ops::Range;

use jsonc_parser::ast::Value as Ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value as Json;

use super::Fault;
use super::yaml;

/// The bytes of the value at `path`, or of its nearest parent.
pub(super) fn span(text: &str, path: &[String]) -> Range<usize> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    let Some(mut at) = parsed.ok().and_then(|parsed| parsed.value) else { return 0..0 };
    for step in path {
        match member(at, step) {
            Ok(inner) => at = inner,
            Err(outer) => return range(&outer),
        }
    }
    range(&at)
}

/// The member that `step` selects, or the value itself.
fn member<'a>(value: Ast<'a>, step: &str) -> Result<Ast<'a>, Ast<'a>> {
    match &value {
        Ast::Object(object) => {
            let at = object.properties.iter().position(|property| property.name.as_str() == step);
            match (at, value) {
                (Some(at), Ast::Object(mut object)) => Ok(object.properties.swap_remove(at).value),
                (_, value) => Err(value),
            }
        }
        Ast::Array(array) => {
            let at = step.parse().ok().filter(|at| *at < array.elements.len());
            match (at, value) {
                (Some(at), Ast::Array(mut array)) => Ok(array.elements.swap_remove(at)),
                (_, value) => Err(value),
            }
        }
        _ => Err(value),
    }
}

fn range(value: &Ast<'_>) -> Range<usize> {
    value.range().start..value.range().end
}

/// The line and column, starting at 1.
pub(super) fn line_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// The byte at a line and a column in bytes, as the JSON parser reports them.
pub(super) fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    text.floor_char_boundary((before + column.saturating_sub(1)).min(text.len()))
}

/// A text and its data.
#[derive(Debug)]
pub(crate) struct Document {
    /// The file name that users know.
    pub(crate) file: String,
    pub(crate) text: String,
    pub(crate) json: Json,
}

impl Document {
    /// Parses JSON, or YAML depending on the file name. The nesting is limited to 128 levels.
    pub(crate) fn read(file: &str, text: &str) -> Result<Self, Fault> {
        let mut document = Self { file: file.to_owned(), text: text.to_owned(), json: Json::Null };
        document.json = if document.is_yaml() {
            yaml::read(text).map_err(|(at, what)| {
                document.fault(at..at, format!("this is not a valid manifest in YAML: {what}"), "fix it")
            })?
        } else {
            serde_json::from_str(text).map_err(|error| document.not_json(&error))?
        };
        Ok(document)
    }

    fn is_yaml(&self) -> bool {
        self.file.ends_with(".yaml") || self.file.ends_with(".yml")
    }

    fn not_json(&self, error: &serde_json::Error) -> Fault {
        let at = offset(&self.text, error.line(), error.column());
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or(&what);
        self.fault(at..at, format!("this is not JSON: {what}"), "fix it")
    }

    /// The bytes of the value at `path`; of its nearest parent if it does not exist.
    pub(crate) fn span(&self, path: &[String]) -> Range<usize> {
        if self.is_yaml() { yaml::span(&self.text, path) } else { span(&self.text, path) }
    }

    /// A mistake at these bytes.
    pub(crate) fn fault(&self, span: Range<usize>, what: impl Into<String>, fix: impl Into<String>) -> Fault {
        let (line, column) = line_column(&self.text, span.start);
        let (what, fix, kinds) = (what.into(), fix.into().into(), Box::default());
        Fault { file: self.file.clone(), span, line, column, what, fix, kinds, is_mistake: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_path() {
        let text = "{ \"a\": [1, {\"b\": true}],\n \"é\": \"x\" }";
        let check = |path: &[&str], expected: &str| {
            let path: Vec<String> = path.iter().map(|&step| step.to_owned()).collect();
            assert_eq!(&text[span(text, &path)], expected, "{path:?}");
        };
        check(&["a", "1", "b"], "true");
        check(&["é"], "\"x\"");
        check(&["a", "7"], "[1, {\"b\": true}]");
        check(&["a", "0", "deeper"], "1");
        check(&["none"], text);
        assert_eq!(line_column(text, text.find("\"x\"").expect("it exists")), (2, 7));
        assert_eq!(span("{", &[]), 0..0);
    }

    #[test]
    fn places_of_the_reader_are_bytes() {
        let text = "{\n\"é\": x}";
        let error = serde_json::from_str::<serde_json::Value>(text).expect_err("x is nothing");
        assert_eq!(&text[offset(text, error.line(), error.column())..], "x}");
        assert_eq!(offset("", 7, 9), 0);
    }
}
