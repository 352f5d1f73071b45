//! A mistake in a manifest.

use std::fmt;
use std::ops::Range;

use uphold_model::{Code, Diagnostic, Place, SourceId};
use uphold_resource::UnusableKind;

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
    pub fix: Box<str>,
    /// The names that the kind could have had: whoever uses one of them gets this as the reason.
    pub kinds: Box<[String]>,
    /// Whether the manifest is wrong. Otherwise it is of a sort that only `dsc` itself can run.
    pub is_mistake: bool,
}

impl Fault {
    /// The same fault of a manifest that would define one of these kinds.
    pub(crate) fn of_kinds(self, kinds: Vec<String>) -> Self {
        Self { kinds: kinds.into(), ..self }
    }

    /// The same fault, which is no mistake of the manifest.
    pub(crate) fn unsupported(self) -> Self {
        Self { is_mistake: false, ..self }
    }

    /// The same as a warning: other kinds work all the same. `source` is the number of the manifest's text.
    pub fn diagnostic(&self, source: SourceId) -> Diagnostic {
        let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let place = Place { source, start: byte(self.span.start), end: byte(self.span.end) };
        Diagnostic::new(Code::UnusableManifest, self.what.clone()).at(place).fix(self.fix.clone())
    }

    /// The same for a block whose kind is missing because of it.
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
