//! Unified diffs for `uphold fmt --diff`.

use std::fmt;
use std::time::Duration;

use similar::TextDiff;

use crate::{Paint, clean};

/// The time limit for finding the shortest diff; after that, a longer one is used.
const TIME_LIMIT: Duration = Duration::from_millis(200);

/// The changes of a file, in a form that `patch` accepts.
pub(crate) struct UnifiedDiff<'a> {
    pub(crate) name: &'a str,
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    pub(crate) paint: Paint,
    /// Whether to escape control characters, because a terminal shows the diff.
    pub(crate) terminal: bool,
}

impl fmt::Display for UnifiedDiff<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let diff = TextDiff::configure().timeout(TIME_LIMIT).diff_lines(self.old, self.new);
        let text = diff.unified_diff().header(self.name, self.name).to_string();
        text.split_inclusive('\n').enumerate().try_for_each(|(number, line)| self.line(f, number, line))
    }
}

impl UnifiedDiff<'_> {
    /// The first two lines are the header.
    fn line(&self, f: &mut fmt::Formatter<'_>, number: usize, line: &str) -> fmt::Result {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = if self.terminal { clean(line) } else { line.into() };
        match line.as_bytes().first() {
            _ if number < 2 => writeln!(f, "{}", self.paint.strong(line)),
            Some(b'@' | b'\\') => writeln!(f, "{}", self.paint.faint(line)),
            Some(b'+') => writeln!(f, "{}", self.paint.added(line)),
            Some(b'-') => writeln!(f, "{}", self.paint.removed(line)),
            _ => writeln!(f, "{line}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_a_unified_diff() {
        let check = |old, new, expected: &str| {
            let (paint, terminal) = (Paint::new(false), false);
            assert_eq!(UnifiedDiff { name: "a.hcl", old, new, paint, terminal }.to_string(), expected);
        };
        check("a=1\n", "a = 1\n", "--- a.hcl\n+++ a.hcl\n@@ -1 +1 @@\n-a=1\n+a = 1\n");
        let end = "--- a.hcl\n+++ a.hcl\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n";
        check("a", "a\n", end);
        check("a\r\n", "a\n", "--- a.hcl\n+++ a.hcl\n@@ -1 +1 @@\n-a\r\n+a\n");
    }

    #[test]
    fn escapes_control_characters() {
        let (paint, terminal) = (Paint::new(true), true);
        let diff = UnifiedDiff { name: "a", old: "\u{1b}[2J\n", new: "x\n", paint, terminal }.to_string();
        assert!(diff.contains("\u{1b}[31m-\\u{1b}[2J\u{1b}[0m\n\u{1b}[32m+x\u{1b}[0m\n"), "{diff:?}");
    }
}
