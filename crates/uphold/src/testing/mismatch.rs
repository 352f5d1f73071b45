//! What is not as a test expects it.

use uphold_model::Diagnostic;

/// One thing that is wrong: with what was found, or with the test or its configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// What is wrong, and where that was expected.
    pub diagnostic: Diagnostic,
    /// Two texts that should be the same: what was expected, and what was found.
    pub texts: Option<(String, String)>,
}

impl From<Diagnostic> for Mismatch {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, texts: None }
    }
}
