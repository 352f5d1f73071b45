//! Values inside JSON, YAML and TOML files: found, and changed in place. All other bytes of the file stay the same.
//!
//! [`EditedValue`] has the settings of a kind that manages such a value, with file and key from the configuration. A kind
//! that knows the file uses [`Documents`] and [`edit`]:
//!
//! ```
//! use uphold_kit::documents::{Documents, Json, KeyPath, PlainValue, edit};
//! use uphold_kit::edited_file::EditedFile;
//! use uphold_kit::prelude::*;
//!
//! /// An option of the Docker daemon.
//! #[derive(Resource)]
//! #[resource(kind = "docker_option")]
//! pub struct DockerOption {
//!     /// Its key, such as `log-opts.max-size`.
//!     #[name]
//!     pub key: KeyPath,
//!     /// Its value.
//!     #[required]
//!     pub value: Want<PlainValue>,
//! }
//!
//! fn file() -> EditedFile<'static> {
//!     EditedFile::of_system("/etc/docker/daemon.json".as_ref())
//! }
//!
//! impl Resource for DockerOption {
//!     fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
//!         let Some(documents) = file().parsed::<Documents<Json>>(look)? else { return Ok(Found::Absent) };
//!         let value = documents.look(&Json, &self.key)?.cloned();
//!         Ok(value.map(|value| DockerOptionState { value: PlainValue(value) }).into())
//!     }
//!
//!     fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
//!         let value = step.goal().map(|goal| &goal.value.0);
//!         file().rewrite(host, |old| edit(&Json, old, &self.key, value))
//!     }
//! }
//! ```

mod edited_value;
mod flow;
mod json;
mod key_path;
mod patch;
mod toml;
#[cfg(test)]
mod trial;
mod value_tree;
mod yaml;

use std::marker::PhantomData;

use uphold_resource::{Error, ErrorKind, Parsed, Result, Value};

use key_path::Shown;
use value_tree::{changes, find, same, with, without};

pub use edited_value::EditedValue;
pub use json::{Json, read_json, write_json};
pub use key_path::{KeyPath, KeyStep};
pub use toml::Toml;
pub use value_tree::{Change, PlainValue};
pub use yaml::Yaml;

/// A format of documents with maps, lists and scalars.
pub trait Format: Send + Sync + 'static {
    /// Parses all documents in a text.
    ///
    /// # Errors
    /// The syntax error, with line and column.
    fn documents(text: &str) -> Result<Vec<Value>>;

    /// Selects the document to edit; none if the text has none.
    ///
    /// # Errors
    /// If the choice is ambiguous.
    fn pick<'d>(&self, documents: &'d [Value]) -> Result<Option<&'d Value>> {
        Ok(documents.first())
    }

    /// Applies one change to a document. The change was checked against the parsed document; all other bytes stay
    /// the same.
    ///
    /// # Errors
    /// If the format cannot make this change in place.
    fn change(&self, text: &str, change: &Change) -> Result<String>;
}

/// All documents of a file.
pub struct Documents<F> {
    all: Vec<Value>,
    format: PhantomData<F>,
}

impl<F: Format> Parsed for Documents<F> {
    fn parse(content: &[u8]) -> Result<Self> {
        Ok(Self { all: F::documents(text(content)?)?, format: PhantomData })
    }
}

impl<F: Format> Documents<F> {
    /// The value at `key`; none if it does not exist.
    ///
    /// # Errors
    /// If `key` leads through a scalar.
    pub fn look(&self, format: &F, key: &KeyPath) -> Result<Option<&Value>> {
        let Some(document) = format.pick(&self.all)? else { return Ok(None) };
        find(document, key.steps())
    }
}

/// The parsed document; null if it is empty.
fn read<F: Format>(format: &F, text: &str) -> Result<Value> {
    Ok(format.pick(&F::documents(text)?)?.cloned().unwrap_or_default())
}

/// Sets or removes the value at `key` of the document in `content`.
///
/// # Guarantees
/// The result is parsed again and differs from the original only in this value. The document's line endings are
/// kept.
///
/// # Errors
/// If the document cannot be parsed or cannot be edited safely.
pub fn edit(format: &impl Format, content: &[u8], key: &KeyPath, new: Option<&Value>) -> Result<Vec<u8>> {
    let (text, steps) = (text(content)?, key.steps());
    let before = read(format, text)?;
    let (expected, changes) = match new {
        Some(new) => (with(&before, steps, new)?, changes(find(&before, steps)?, new, steps)),
        None if find(&before, steps)?.is_none() => return Ok(content.to_owned()),
        None => (without(&before, steps)?, vec![Change { at: steps.to_vec(), to: None }]),
    };
    let unsafe_ = |why: &str| unsafe_to_edit(steps).because(why.to_owned());
    let edited = change(format, text, &changes).map_err(|why| unsafe_(&why.chain()))?;
    let after = read(format, &edited).map_err(|why| unsafe_(&why.chain()))?;
    if same(&after, &expected) {
        Ok(edited.into_bytes())
    } else {
        Err(unsafe_("another value would change, too"))
    }
}

/// Formats write only `\n`. The result is checked with the document's own line endings, which can be part of a
/// value.
fn change(format: &impl Format, text: &str, changes: &[Change]) -> Result<String> {
    let apply = |text: String| changes.iter().try_fold(text, |text, change| format.change(&text, change));
    let has_dos_ends = text.contains("\r\n") && text.matches('\n').count() == text.matches("\r\n").count();
    if has_dos_ends {
        Ok(apply(text.replace("\r\n", "\n"))?.replace('\n', "\r\n"))
    } else {
        apply(text.to_owned())
    }
}

fn unsafe_to_edit(steps: &[KeyStep]) -> Error {
    let what = format!("cannot edit {} safely", Shown(steps));
    Error::new(ErrorKind::Unsupported, what).hint("edit this part by hand, or write it in a simpler style")
}

fn text(content: &[u8]) -> Result<&str> {
    std::str::from_utf8(content).map_err(|error| {
        let line = content[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        Error::new(ErrorKind::Invalid, format!("line {line} is not UTF-8"))
    })
}

/// The error for a document with a syntax error at this line and column, counted from 1.
pub(crate) fn not_understood(format: &str, line: usize, column: usize, why: &str) -> Error {
    Error::new(
        ErrorKind::Invalid,
        format!("the file is not valid {format}: line {line}, column {column}: {why}"),
    )
    .hint("fix the file first; nothing was changed")
}

/// The error for a part whose style cannot be edited in place.
pub(crate) fn not_editable(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unsupported, what)
}
