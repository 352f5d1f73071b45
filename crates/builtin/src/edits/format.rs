//! What documents of every format have in common.

use std::marker::PhantomData;

use uphold_resource::{Error, ErrorKind, Parsed, Result, Value};

use super::datum::same;
use super::key_path::{KeyPath, KeyStep, Shown};
use super::value_tree::{Change, changes, find, with, without};

/// A format of documents that hold maps, lists and plain values.
pub(crate) trait Format: Send + Sync + 'static {
    /// What each document in a text says.
    ///
    /// # Errors
    /// Why it cannot be understood, with line and column.
    fn documents(text: &str) -> Result<Vec<Value>>;

    /// The document that is meant; none if there is none at all.
    ///
    /// # Errors
    /// If that cannot be told.
    fn pick<'d>(&self, documents: &'d [Value]) -> Result<Option<&'d Value>> {
        Ok(documents.first())
    }

    /// The document with one change. The way to it was found to be possible; whatever is not changed stays to the byte.
    ///
    /// # Errors
    /// If this part cannot be changed where it stands.
    fn change(&self, text: &str, change: &Change) -> Result<String>;
}

/// All that a file says.
pub(crate) struct Documents<F> {
    all: Vec<Value>,
    format: PhantomData<F>,
}

impl<F: Format> Parsed for Documents<F> {
    fn parse(content: &[u8]) -> Result<Self> {
        Ok(Self { all: F::documents(text(content)?)?, format: PhantomData })
    }
}

impl<F: Format> Documents<F> {
    /// What is at `key`; none if nothing is.
    ///
    /// # Errors
    /// If `key` leads through something else than maps and lists.
    pub(crate) fn look(&self, format: &F, key: &KeyPath) -> Result<Option<&Value>> {
        let Some(document) = format.pick(&self.all)? else { return Ok(None) };
        find(document, key.steps())
    }
}

/// What the document says; null if it is empty.
fn read<F: Format>(format: &F, text: &str) -> Result<Value> {
    Ok(format.pick(&F::documents(text)?)?.cloned().unwrap_or_default())
}

/// The document in `content` with `new` at `key`, or with nothing there.
///
/// # Guarantees
/// The result was read again, and says what it said before but for the one value. Line ends are those of the document.
///
/// # Errors
/// If it cannot be understood, or cannot be changed safely.
pub(crate) fn edit(
    format: &impl Format,
    content: &[u8],
    key: &KeyPath,
    new: Option<&Value>,
) -> Result<Vec<u8>> {
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
    match same(&after, &expected) {
        true => Ok(edited.into_bytes()),
        false => Err(unsafe_("something else would change, too")),
    }
}

/// Formats know only one line end. What they wrote is read with those of the document: a line end can be part of a value.
fn change(format: &impl Format, text: &str, changes: &[Change]) -> Result<String> {
    let apply = |text: String| changes.iter().try_fold(text, |text, change| format.change(&text, change));
    let has_dos_ends = text.contains("\r\n") && text.matches('\n').count() == text.matches("\r\n").count();
    match has_dos_ends {
        true => Ok(apply(text.replace("\r\n", "\n"))?.replace('\n', "\r\n")),
        false => apply(text.to_owned()),
    }
}

fn unsafe_to_edit(steps: &[KeyStep]) -> Error {
    let what = format!("cannot edit {} safely", Shown(steps));
    Error::new(ErrorKind::Unsupported, what).hint("write this part by hand, in a plainer style")
}

fn text(content: &[u8]) -> Result<&str> {
    std::str::from_utf8(content).map_err(|error| {
        let line = content[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        Error::new(ErrorKind::Invalid, format!("line {line} is not UTF-8"))
    })
}

/// A document that cannot be understood, because of what is at this place, counted from 1.
pub(crate) fn not_understood(format: &str, line: usize, column: usize, why: &str) -> Error {
    Error::new(ErrorKind::Invalid, format!("this is not {format}: line {line}, column {column}: {why}"))
        .hint("mend the file first; nothing was changed")
}

/// A part that is there in a style that cannot be changed where it stands.
pub(crate) fn not_editable(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unsupported, what)
}
