//! Problems with a configuration, as they are shown to users.

use crate::code::Code;
use crate::place::Place;
use crate::repeated;

/// Whether a problem stops a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The run can continue.
    Warning,
    /// It must be fixed before a run changes anything.
    Error,
}

/// Another place that helps to explain the problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Related {
    /// The place.
    pub place: Place,
    /// A short explanation of the place.
    pub label: String,
}

/// One problem: what is wrong, where, why, and how to fix it.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The code of the mistake.
    pub code: Code,
    /// The details of this case: names, values, reasons.
    pub detail: String,
    /// Where it was written, if it was written in a file.
    pub place: Option<Place>,
    /// Other places that help to explain it.
    pub related: Vec<Related>,
    /// A hint how to fix it.
    pub fix: Option<String>,
}

impl Diagnostic {
    /// A problem without a place and a hint.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), place: None, related: Vec::new(), fix: None }
    }

    /// Whether it is an error or a warning.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// A short, constant summary.
    pub fn summary(&self) -> &'static str {
        self.code.summary()
    }

    /// The same, at `place`.
    #[must_use]
    pub fn at(mut self, place: impl Into<Option<Place>>) -> Self {
        self.place = place.into();
        self
    }

    /// The same, with another related place.
    #[must_use]
    pub fn and_at(mut self, place: Place, label: impl Into<String>) -> Self {
        self.related.push(Related { place, label: label.into() });
        self
    }

    /// The same, with a hint.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }
}

/// Collected problems, so that all of them are shown at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds a problem.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity() == Severity::Error)
    }

    /// Whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Merges problems that differ only in the key of a `for_each`.
    pub fn merge_repeated(&mut self) {
        repeated::merge(&mut self.list);
    }

    /// Merges repeated problems, and keeps the first 100; a last one counts the rest.
    pub fn cap(&mut self) {
        const MOST: usize = 100;
        self.merge_repeated();
        let rest = self.list.len().saturating_sub(MOST);
        if rest > 0 {
            self.list.truncate(MOST);
            let last = self.list.last().and_then(|problem| problem.place);
            let more = Diagnostic::new(Code::TooManyProblems, format!("{rest} more are not shown"));
            self.list.push(more.at(last).fix("fix the problems above first"));
        }
    }

    /// All problems, in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, more: I) {
        self.list.extend(more);
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { list: vec![diagnostic] }
    }
}
