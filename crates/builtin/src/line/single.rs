//! A single line of a file.

use std::borrow::Cow;

use uphold_kit::document::Document;
use uphold_kit::pattern::Pattern;
use uphold_resource::{Error, ErrorKind, Result};

use super::insertion::Insertion;

/// The maximum number of line numbers shown.
const SHOWN: usize = 5;

/// Identifies a line by its text or by a pattern.
#[derive(Clone, Copy)]
pub(crate) struct Single<'a> {
    pub(crate) line: Option<&'a str>,
    pub(crate) pattern: Option<&'a Pattern>,
    /// The comment prefix.
    pub(crate) comment: &'a str,
}

impl Single<'_> {
    fn matches(&self, text: &[u8]) -> bool {
        self.line.is_some_and(|line| line.as_bytes() == text)
            || self.pattern.is_some_and(|pattern| pattern.matches(text))
    }

    fn is_comment(&self, text: &[u8]) -> bool {
        text.trim_ascii_start().starts_with(self.comment.as_bytes())
    }

    /// The first matching line that is not a comment, otherwise the first matching line. A line that already has
    /// the right text counts as well: otherwise the next run would replace the next match, and so on.
    fn position(&self, document: &Document<'_>) -> Option<usize> {
        let is_active = |text: &[u8]| self.matches(text) && !self.is_comment(text);
        let active = document.lines().position(is_active);
        active.or_else(|| document.lines().position(|text| self.matches(text)))
    }

    /// # Errors
    /// If several lines that are not comments match: only the program that reads the file knows which one takes
    /// effect.
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
        let what = format!("`match` matches several lines: {}{more}", numbers.join(", "));
        Err(Error::new(ErrorKind::Rejected, what)
            .hint("make `match` more specific, so that it matches one of them"))
    }

    /// The current text of the line.
    pub(crate) fn find(&self, document: &Document<'_>) -> Option<String> {
        let at = self.position(document)?;
        document.lines().nth(at).map(|text| String::from_utf8_lossy(text).into_owned())
    }

    /// Sets the text; a new line is added at `place`.
    pub(crate) fn put<'d>(
        &self,
        document: &mut Document<'d>,
        line: &'d str,
        place: Insertion<'_>,
    ) -> Result<()> {
        self.must_be_one(document)?;
        match self.position(document) {
            Some(at) => document.replace(at, line.as_bytes()),
            None => {
                let at = place.index(document);
                document.splice(at, at, [Cow::Borrowed(line.as_bytes())].into_iter());
            }
        }
        Ok(())
    }

    /// Removes every matching line.
    pub(crate) fn remove(&self, document: &mut Document<'_>) {
        document.retain(|text| !self.matches(text));
    }
}
