//! One line of a file.

use std::borrow::Cow;

use super::Pattern;
use super::document::{Document, Place};

/// The line that is looked for: one that is right already, or one that matches.
#[derive(Clone, Copy)]
pub(crate) struct Single<'a> {
    pub(crate) line: Option<&'a str>,
    pub(crate) pattern: Option<&'a Pattern>,
}

impl Single<'_> {
    fn is_it(&self, text: &[u8]) -> bool {
        self.line.is_some_and(|line| line.as_bytes() == text)
            || self.pattern.is_some_and(|pattern| pattern.matches(text))
    }

    /// The first such line. A right line before one that matches stands for it: else the next run
    /// would replace the next match, and so on.
    fn position(&self, document: &Document<'_>) -> Option<usize> {
        document.lines().position(|text| self.is_it(text))
    }

    /// What the line says now.
    pub(crate) fn find(&self, document: &Document<'_>) -> Option<String> {
        let at = self.position(document)?;
        document.lines().nth(at).map(|text| String::from_utf8_lossy(text).into_owned())
    }

    /// Makes it say `line`; a new line goes to `place`.
    pub(crate) fn put<'d>(&self, document: &mut Document<'d>, line: &'d str, place: Place<'_>) {
        match self.position(document) {
            Some(at) => document.replace(at, line.as_bytes()),
            None => {
                let at = document.find(place);
                document.splice(at, at, [Cow::Borrowed(line.as_bytes())].into_iter());
            }
        }
    }

    /// Removes every such line.
    pub(crate) fn remove(&self, document: &mut Document<'_>) {
        document.retain(|text| !self.is_it(text));
    }
}
