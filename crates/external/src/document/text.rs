//! A manifest as it was read.

use std::ops::Range;

use serde_json::Value as Json;

use super::fault::Fault;
use super::{place, yaml};

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
        let at = place::offset(&self.text, error.line(), error.column());
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or(&what);
        self.fault(at..at, format!("this is not JSON: {what}"), "fix it")
    }

    /// The bytes of the value at `path`; of its nearest parent if it does not exist.
    pub(crate) fn span(&self, path: &[String]) -> Range<usize> {
        if self.is_yaml() { yaml::span(&self.text, path) } else { place::span(&self.text, path) }
    }

    /// A mistake at these bytes.
    pub(crate) fn fault(&self, span: Range<usize>, what: impl Into<String>, fix: impl Into<String>) -> Fault {
        let (line, column) = place::line_column(&self.text, span.start);
        let (what, fix, kinds) = (what.into(), fix.into().into(), Box::default());
        Fault { file: self.file.clone(), span, line, column, what, fix, kinds, is_mistake: true }
    }
}
