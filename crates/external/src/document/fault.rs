//! A mistake in a manifest.

use std::fmt;
use std::ops::Range;

use uphold_model::{Code, Diagnostic, Place, SourceId};
use uphold_resource::UnusableKind;

/// A mistake in a manifest: what is wrong, where, and how to fix it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The file.
    pub file: String,
    /// The wrong bytes of its text.
    pub span: Range<usize>,
    /// The line, starting at 1.
    pub line: usize,
    /// The column in characters, starting at 1.
    pub column: usize,
    /// The problem.
    pub what: String,
    /// A hint how to fix it.
    pub fix: Box<str>,
    /// The names that the kind could have had: a block of such a kind gets this as the reason.
    pub kinds: Box<[String]>,
    /// Whether the manifest is wrong. Otherwise only `dsc` itself can run its type of resource.
    pub is_mistake: bool,
}

impl Fault {
    /// The same fault of a manifest that would define one of these kinds.
    pub(crate) fn of_kinds(self, kinds: Vec<String>) -> Self {
        Self { kinds: kinds.into(), ..self }
    }

    /// The same fault, marked as unsupported instead of a mistake.
    pub(crate) fn unsupported(self) -> Self {
        Self { is_mistake: false, ..self }
    }

    /// The fault as a warning, because other kinds still work. `source` is the manifest's text.
    pub fn diagnostic(&self, source: SourceId) -> Diagnostic {
        let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let place = Place { source, start: byte(self.span.start), end: byte(self.span.end) };
        Diagnostic::new(Code::UnusableManifest, self.what.clone()).at(place).fix(self.fix.clone())
    }

    /// The fault as the reason why a block's kind is missing.
    pub fn reason(&self) -> UnusableKind {
        let Self { file, line, column, what, fix, .. } = self;
        UnusableKind { reason: format!("{file}:{line}:{column}: {what}"), fix: fix.to_string() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, what, fix, .. } = self;
        write!(f, "{file}:{line}:{column}: {what}; {fix}")
    }
}

impl std::error::Error for Fault {}
