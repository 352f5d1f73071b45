//! Two texts as a diff that `patch` takes.

use std::fmt;
use std::time::Duration;

use similar::TextDiff;

use crate::paint::{Paint, clean};

/// How long the search for the shortest diff may take; after that a longer one is good enough.
const PATIENCE: Duration = Duration::from_millis(200);

/// How a file changes: the old text, the new one, and how to show the difference.
pub(crate) struct UnifiedDiff<'a> {
    /// The file.
    pub(crate) name: &'a str,
    /// What it holds.
    pub(crate) old: &'a str,
    /// What it will hold.
    pub(crate) new: &'a str,
    /// Colour by line.
    pub(crate) paint: Paint,
    /// Whether a terminal shows it: then nothing in the text may command it.
    pub(crate) terminal: bool,
}

impl fmt::Display for UnifiedDiff<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(self.old, self.new);
        let text = diff.unified_diff().header(self.name, self.name).to_string();
        text.split_inclusive('\n').enumerate().try_for_each(|(number, line)| self.line(f, number, line))
    }
}

impl UnifiedDiff<'_> {
    /// The first two lines are the head.
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
    fn a_diff_is_what_patch_takes() {
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
    fn a_terminal_is_not_commanded() {
        let (paint, terminal) = (Paint::new(true), true);
        let diff = UnifiedDiff { name: "a", old: "\u{1b}[2J\n", new: "x\n", paint, terminal }.to_string();
        assert!(diff.contains("\u{1b}[31m-\\u{1b}[2J\u{1b}[0m\n\u{1b}[32m+x\u{1b}[0m\n"), "{diff:?}");
    }
}
