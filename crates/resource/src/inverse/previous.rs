//! How the state that a change replaces can be brought back.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

use uphold_model::Value;

use crate::error::{Error, Result, wrong_type};
use crate::host::{EntryKind, Reading};

/// How the state that a change replaces can be brought back.
#[derive(Clone, Debug, PartialEq)]
pub enum Previous {
    /// By a declaration of the previous values. The created resource is removed, the removed one created again.
    Values {
        /// Properties that the declaration leaves out: settings of the change alone, such as `backups`, and state that
        /// can only be reached and not left, such as `loaded` of a unit.
        without: &'static [&'static str],
        /// Values that the declaration needs as well: settings that replace the declared ones, such as
        /// `membership = "exact"`, or unchanged state.
        with: Vec<(&'static str, Value)>,
    },
    /// By the previous content of a whole file, of which the resource manages a part. The values of the resource do not
    /// determine all bytes, such as the position of a line.
    Content {
        /// The file.
        path: PathBuf,
        /// The kind that manages a whole file: its name is the path, its property `content` the content.
        kind: &'static str,
        /// Whether the previous values are declared instead if the file was changed meanwhile.
        or_values: bool,
    },
    /// Not at all, for this reason.
    None(Cow<'static, str>),
}

impl Previous {
    /// By a declaration of the previous values, with all declared settings.
    pub const VALUES: Previous = Previous::without(&[]);

    /// By a declaration of the previous values that leaves out these properties.
    pub const fn without(properties: &'static [&'static str]) -> Self {
        Previous::Values { without: properties, with: Vec::new() }
    }

    /// The same, with this value of a setting, or of state that did not change.
    #[must_use]
    pub fn with(mut self, setting: &'static str, value: impl Into<Value>) -> Self {
        if let Previous::Values { with, .. } = &mut self {
            with.push((setting, value.into()));
        }
        self
    }

    /// The properties that the declaration leaves out.
    pub fn without_properties(&self) -> &'static [&'static str] {
        match self {
            Previous::Values { without, .. } => without,
            _ => &[],
        }
    }

    /// The present content of the file that is brought back as a whole; none if it does not exist, or there is none.
    ///
    /// # Errors
    /// If it is not a regular file, or cannot be read.
    pub fn content(&self, host: &Reading<'_>) -> Result<Option<Vec<u8>>> {
        let Previous::Content { path, .. } = self else { return Ok(None) };
        let Some(entry) = host.files().look(path)? else { return Ok(None) };
        match entry.kind {
            EntryKind::File => host.files().read(path, entry.size).map(Some),
            kind => Err(wrong_type(path, kind.words(), "a regular file")),
        }
    }

    /// Not at all, for this reason: a fragment that reads on after the name of the resource and a colon.
    pub fn none(reason: impl Into<Cow<'static, str>>) -> Self {
        Previous::None(reason.into())
    }
}

impl Default for Previous {
    fn default() -> Self {
        Self::VALUES
    }
}

/// Why a change cannot be undone: a fragment that reads on after the name of the resource and a colon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Irreversible(pub Cow<'static, str>);

impl Irreversible {
    /// The resource, or the file that it edits, was changed after the change.
    pub const CHANGED_SINCE: Irreversible = Irreversible(Cow::Borrowed("it was changed since"));

    /// A verb, whose effects no state shows.
    pub fn verb(verb: &str) -> Self {
        Irreversible(format!("the action `{verb}` cannot be undone").into())
    }

    /// An action of a kind without state.
    pub fn effects(kind: &str) -> Self {
        Irreversible(format!("the effects of a {kind} cannot be undone").into())
    }

    /// A state of the resource could not be recorded.
    pub fn unrecorded(error: &Error) -> Self {
        Irreversible(format!("its state could not be recorded: {}", error.chain()).into())
    }
}

impl fmt::Display for Irreversible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Irreversible {}
