//! The result of `load`.

use std::path::PathBuf;

use crate::error::{Error, Result, wrong_type};
use crate::resource::Described;

/// The current state of a resource.
pub enum Found<R: Described> {
    /// It does not exist.
    Absent,
    /// It exists, in this state.
    This(R::State),
    /// Something else is at its place. That is an error, unless the resource [replaces](crate::Resource::replaces_other) it.
    Other(Other),
}

/// Something else at the place of a resource, such as a directory at the path of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Other {
    path: PathBuf,
    words: &'static str,
    expected: &'static str,
    hint: Option<&'static str>,
}

impl Other {
    /// `words` is at `path`, as in "a directory", and `expected` should be.
    pub fn new(path: impl Into<PathBuf>, words: &'static str, expected: &'static str) -> Self {
        Self { path: path.into(), words, expected, hint: None }
    }

    /// Adds the hint of the error.
    #[must_use]
    pub fn hint(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// What it is, as in "a directory".
    pub fn words(&self) -> &'static str {
        self.words
    }

    /// What should be there, as in "a regular file".
    pub(crate) fn expected(&self) -> &'static str {
        self.expected
    }

    /// The error for a resource that does not replace it.
    pub fn error(&self) -> Error {
        let error = wrong_type(&self.path, self.words, self.expected);
        match self.hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

impl<R: Described> Found<R> {
    /// The state; `None` if the resource does not exist.
    ///
    /// # Errors
    /// If something else is at its place.
    pub fn state(self) -> Result<Option<R::State>> {
        match self {
            Self::Absent => Ok(None),
            Self::This(state) => Ok(Some(state)),
            Self::Other(other) => Err(other.error()),
        }
    }

    /// The same for a kind that embeds this one: `embed` makes its state from the state of the part.
    pub fn map<W: Described>(self, embed: impl FnOnce(R::State) -> W::State) -> Found<W> {
        match self {
            Self::Absent => Found::Absent,
            Self::This(state) => Found::This(embed(state)),
            Self::Other(other) => Found::Other(other),
        }
    }
}

impl<R: Described> From<Option<R::State>> for Found<R> {
    fn from(state: Option<R::State>) -> Self {
        state.map_or(Self::Absent, Self::This)
    }
}
