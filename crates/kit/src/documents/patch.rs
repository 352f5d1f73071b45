//! A set of replacements in a text.

use std::ops::Range;

/// Replacements in a text that do not overlap. All other bytes stay the same.
#[derive(Default)]
pub(crate) struct Patch(Vec<(Range<usize>, String)>);

impl Patch {
    /// Replaces these bytes by `new`.
    pub(crate) fn replace(mut self, span: Range<usize>, new: impl Into<String>) -> Self {
        self.0.push((span, new.into()));
        self
    }

    /// Inserts `new` before this byte.
    pub(crate) fn insert(self, at: usize, new: impl Into<String>) -> Self {
        self.replace(at..at, new)
    }

    /// The text with all replacements applied. Insertions at one position keep their order.
    pub(crate) fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(span, _)| span.start);
        let mut result = String::with_capacity(text.len());
        let mut at = 0;
        for (span, new) in &self.0 {
            result.push_str(text.get(at..span.start).unwrap_or_default());
            result.push_str(new);
            at = span.end.max(at);
        }
        result.push_str(text.get(at..).unwrap_or_default());
        result
    }
}

/// The start of the line that contains this byte.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// The end of the line that contains this byte, before its newline.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |newline| at + newline)
}

/// The leading white space of the line that contains this byte.
pub(crate) fn indentation(text: &str, at: usize) -> &str {
    let line = &text[line_start(text, at)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Whether only white space precedes this byte in its line.
pub(crate) fn begins_line(text: &str, at: usize) -> bool {
    text[line_start(text, at)..at].trim().is_empty()
}
