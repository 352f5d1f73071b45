//! A manifest as it was read.

use std::ops::Range;

use serde_json::Value as Json;

use super::fault::Fault;
use super::{place, yaml};

/// A text with the data in it.
#[derive(Debug)]
pub(crate) struct Document {
    /// The file, as people know it.
    pub(crate) file: String,
    pub(crate) text: String,
    pub(crate) json: Json,
}

impl Document {
    /// Reads JSON, or YAML if the file is called so. Nothing is nested more than 128 levels deep.
    pub(crate) fn read(file: &str, text: &str) -> Result<Self, Fault> {
        let mut document = Self { file: file.to_owned(), text: text.to_owned(), json: Json::Null };
        document.json = match document.is_yaml() {
            true => yaml::read(text).map_err(|(at, what)| {
                document.fault(
                    at..at,
                    format!("this is not YAML that a manifest can be: {what}"),
                    "correct it",
                )
            })?,
            false => serde_json::from_str(text).map_err(|error| document.not_json(&error))?,
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
        self.fault(at..at, format!("this is not JSON: {what}"), "correct it")
    }

    /// The bytes where the value at `path` stands; those of the nearest one around it if it is not there.
    pub(crate) fn span(&self, path: &[String]) -> Range<usize> {
        match self.is_yaml() {
            true => yaml::span(&self.text, path),
            false => place::span(&self.text, path),
        }
    }

    /// A mistake at these bytes.
    pub(crate) fn fault(&self, span: Range<usize>, what: impl Into<String>, fix: impl Into<String>) -> Fault {
        let (line, column) = place::line_column(&self.text, span.start);
        let (what, fix, kinds) = (what.into(), fix.into().into(), Box::default());
        Fault { file: self.file.clone(), span, line, column, what, fix, kinds, is_mistake: true }
    }
}
