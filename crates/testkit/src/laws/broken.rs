//! A law that does not hold.

use std::fmt;

/// Which law a kind breaks, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// The law's name: that of its function.
    pub law: &'static str,
    /// The wish that shows it.
    pub wish: String,
    /// What happened, and what should have.
    pub why: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the law `{}` is broken by {}: {}", self.law, self.wish, self.why)
    }
}

impl std::error::Error for Broken {}
