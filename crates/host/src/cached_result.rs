//! A result that is computed once.

use std::sync::OnceLock;

use uphold_resource::{Error, ErrorKind, Result};

/// A value that is computed once. A failure is cached, too.
pub(crate) struct CachedResult<T>(OnceLock<Result<T, CachedError>>);

/// An error that can be returned repeatedly.
struct CachedError {
    kind: ErrorKind,
    text: String,
    hint: Option<String>,
}

impl<T> Default for CachedResult<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> CachedResult<T> {
    /// The result of the first call of `find`. Concurrent callers wait for it.
    pub(crate) fn get(&self, find: impl FnOnce() -> Result<T>) -> Result<&T> {
        let result = self.0.get_or_init(|| find().map_err(|error| CachedError::of(&error)));
        result.as_ref().map_err(CachedError::error)
    }
}

impl CachedError {
    fn of(error: &Error) -> Self {
        Self { kind: error.kind(), text: error.chain(), hint: error.advice().map(str::to_owned) }
    }

    fn error(&self) -> Error {
        let error = Error::new(self.kind, self.text.clone());
        match &self.hint {
            Some(hint) => error.hint(hint.clone()),
            None => error,
        }
    }
}
