//! The reason why hosts cannot be created.

use std::fmt;

/// The reason why hosts cannot be created on this machine.
#[derive(Debug)]
pub struct Unavailable(String);

impl Unavailable {
    /// A reason with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// A failed attempt and its cause.
    pub(crate) fn failed(what: &str, cause: impl fmt::Display) -> Self {
        Self(format!("{what}: {cause}"))
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unavailable {}
