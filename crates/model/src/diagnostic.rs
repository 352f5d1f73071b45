//! Problems with a configuration, as users see them.

use crate::code::Code;
use crate::place::Place;

/// Whether a problem stops a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It does not stop a run.
    Warning,
    /// It must be fixed before a run changes anything.
    Error,
}

/// Another place that explains the problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Related {
    /// Where.
    pub place: Place,
    /// What is to be seen there.
    pub label: String,
}

/// One problem: what, where, why, and how to fix it.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The kind of mistake.
    pub code: Code,
    /// This case: names, values, reasons.
    pub detail: String,
    /// Where it was written, when it was written anywhere.
    pub place: Option<Place>,
    /// Other places that belong to it.
    pub related: Vec<Related>,
    /// What to write instead.
    pub fix: Option<String>,
}

impl Diagnostic {
    /// A problem without a place and a fix.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), place: None, related: Vec::new(), fix: None }
    }

    /// Whether it is an error or a warning.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// What is wrong, in a few constant words.
    pub fn summary(&self) -> &'static str {
        self.code.summary()
    }

    /// The same, at `place`.
    #[must_use]
    pub fn at(mut self, place: impl Into<Option<Place>>) -> Self {
        self.place = place.into();
        self
    }

    /// The same, pointing also to another place.
    #[must_use]
    pub fn and_at(mut self, place: Place, label: impl Into<String>) -> Self {
        self.related.push(Related { place, label: label.into() });
        self
    }

    /// The same, with advice.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }
}

/// Problems collected on the way, so that all are shown at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity() == Severity::Error)
    }

    /// Whether there are none at all.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Leaves out what is more than anybody reads on; a last one says how many.
    pub fn cap(&mut self) {
        const MOST: usize = 100;
        let rest = self.list.len().saturating_sub(MOST);
        if rest > 0 {
            self.list.truncate(MOST);
            let last = self.list.last().and_then(|problem| problem.place);
            let more = Diagnostic::new(Code::TooManyProblems, format!("{rest} more are not shown"));
            self.list.push(more.at(last).fix("fix the problems above first"));
        }
    }

    /// All of them, in the order they were found.
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
