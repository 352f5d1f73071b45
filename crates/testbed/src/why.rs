//! Why there can be no hosts here.

use std::fmt;

/// Why there can be no hosts on this machine, in words for whoever runs the tests.
#[derive(Debug)]
pub struct Why(String);

impl Why {
    /// A reason in these words.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// What was tried, and how it went wrong.
    pub(crate) fn failed(what: &str, cause: impl fmt::Display) -> Self {
        Self(format!("{what}: {cause}"))
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Why {}
