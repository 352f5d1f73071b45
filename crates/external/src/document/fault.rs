//! A mistake in a manifest.

use std::fmt;
use std::ops::Range;

use uphold_model::{Diagnostic, Place, SourceId};

/// What is wrong with a manifest, where, and what to write instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The file.
    pub file: String,
    /// The bytes of its text that are wrong.
    pub span: Range<usize>,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub fix: String,
}

impl Fault {
    /// The same as people are told about a configuration; `source` is the number of the manifest's text.
    pub fn diagnostic(&self, source: SourceId) -> Diagnostic {
        let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let place = Place { source, start: byte(self.span.start), end: byte(self.span.end) };
        Diagnostic::error("unusable manifest", self.what.clone()).at(place).fix(self.fix.clone())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, what, fix, .. } = self;
        write!(f, "{file}:{line}:{column}: {what}; {fix}")
    }
}

impl std::error::Error for Fault {}
