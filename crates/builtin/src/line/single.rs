//! One line of a file.

use std::borrow::Cow;

use uphold_resource::{Error, ErrorKind, Result};

use super::Pattern;
use super::document::{Document, Place};

/// So many numbers of lines are shown at most.
const SHOWN: usize = 5;

/// The line that is looked for: one that is right already, or one that matches.
#[derive(Clone, Copy)]
pub(crate) struct Single<'a> {
    pub(crate) line: Option<&'a str>,
    pub(crate) pattern: Option<&'a Pattern>,
    /// What a comment begins with.
    pub(crate) comment: &'a str,
}

impl Single<'_> {
    fn is_it(&self, text: &[u8]) -> bool {
        self.line.is_some_and(|line| line.as_bytes() == text)
            || self.pattern.is_some_and(|pattern| pattern.matches(text))
    }

    fn is_comment(&self, text: &[u8]) -> bool {
        text.trim_ascii_start().starts_with(self.comment.as_bytes())
    }

    /// The first such line that is no comment, else the first such line. A right line before one that matches stands for
    /// it: else the next run would replace the next match, and so on.
    fn position(&self, document: &Document<'_>) -> Option<usize> {
        let is_active = |text: &[u8]| self.is_it(text) && !self.is_comment(text);
        let active = document.lines().position(is_active);
        active.or_else(|| document.lines().position(|text| self.is_it(text)))
    }

    /// # Errors
    /// If several lines that are no comments match: which of them counts, only the reader of the file knows.
    pub(crate) fn must_be_one(&self, document: &Document<'_>) -> Result<()> {
        let (Some(pattern), Some(line)) = (self.pattern, self.line) else { return Ok(()) };
        let matches = |text: &[u8]| pattern.matches(text) && !self.is_comment(text);
        let found: Vec<usize> =
            document.lines().enumerate().filter(|(_, text)| matches(text)).map(|(at, _)| at).collect();
        let is_right = |at: &usize| document.lines().nth(*at) == Some(line.as_bytes());
        if found.len() < 2 || found.iter().all(is_right) {
            return Ok(());
        }
        let numbers: Vec<String> = found.iter().take(SHOWN).map(|at| (at + 1).to_string()).collect();
        let more = if found.len() > SHOWN { ", …" } else { "" };
        let what = format!("`match` fits several lines: {}{more}", numbers.join(", "));
        Err(Error::new(ErrorKind::Rejected, what).hint("make `match` fit one of them, or remove the others"))
    }

    /// What the line says now.
    pub(crate) fn find(&self, document: &Document<'_>) -> Option<String> {
        let at = self.position(document)?;
        document.lines().nth(at).map(|text| String::from_utf8_lossy(text).into_owned())
    }

    /// Makes it say `line`; a new line goes to `place`.
    pub(crate) fn put<'d>(&self, document: &mut Document<'d>, line: &'d str, place: Place<'_>) -> Result<()> {
        self.must_be_one(document)?;
        match self.position(document) {
            Some(at) => document.replace(at, line.as_bytes()),
            None => {
                let at = document.find(place);
                document.splice(at, at, [Cow::Borrowed(line.as_bytes())].into_iter());
            }
        }
        Ok(())
    }

    /// Removes every such line.
    pub(crate) fn remove(&self, document: &mut Document<'_>) {
        document.retain(|text| !self.is_it(text));
    }
}
