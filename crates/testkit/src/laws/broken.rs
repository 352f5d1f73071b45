//! A violation of a law.

use std::fmt;

/// A violation of a law by a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// The law's name, which is that of its function.
    pub law: &'static str,
    /// The wish that violates it.
    pub wish: String,
    /// The actual and the expected behaviour.
    pub why: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the law `{}` is broken by {}: {}", self.law, self.wish, self.why)
    }
}

impl std::error::Error for Broken {}
