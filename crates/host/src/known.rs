//! What is found out once.

use std::sync::OnceLock;

use uphold_resource::{Error, ErrorKind, Result};

/// Something that is found out once, or a reason why it cannot be.
pub(crate) struct Known<T>(OnceLock<Result<T, Reason>>);

/// An error that can be given out again and again.
struct Reason {
    kind: ErrorKind,
    text: String,
    hint: Option<String>,
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Known<T> {
    /// What was found the first time; whoever asks meanwhile waits for it.
    pub(crate) fn get(&self, find: impl FnOnce() -> Result<T>) -> Result<&T> {
        self.0.get_or_init(|| find().map_err(|error| Reason::of(&error))).as_ref().map_err(Reason::error)
    }
}

impl Reason {
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
