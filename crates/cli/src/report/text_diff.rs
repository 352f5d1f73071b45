//! Diffs of texts: in plans, and as `uphold fmt --diff` prints them.

use std::fmt::{self, Write};
use std::time::Duration;

use similar::udiff::UnifiedHunkHeader;
use similar::{ChangeTag, DiffOp, DiffTag, TextDiff};

use crate::{Paint, clean};

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// The time limit for finding the shortest diff; after that, a longer one is used.
const TIME_LIMIT: Duration = Duration::from_millis(200);

/// The number of lines of a diff that are shown without -v.
const SHOWN: usize = 100;

/// The number of characters of a line that are shown, and the number before the first that differs.
const WIDTH: usize = 160;
const LEAD: usize = 40;

/// Formats the change of a text as a unified diff.
pub(crate) struct TextChange {
    pub(crate) paint: Paint,
    pub(crate) verbose: bool,
}

impl TextChange {
    /// The lines of the diff, each indented.
    pub(crate) fn lines(&self, old: &str, new: &str) -> String {
        let diff = TextDiff::configure().timeout(TIME_LIMIT).diff_lines(old, new);
        let mut lines = Vec::new();
        // A long value on one line, such as a key, has no end of line that could be missing.
        let has_lines = old.contains('\n') || new.contains('\n');
        for hunk in diff.grouped_ops(CONTEXT) {
            if !old.is_empty() && !new.is_empty() {
                lines.push(self.paint.faint(UnifiedHunkHeader::new(&hunk)).to_string());
            }
            for operation in hunk {
                self.operation(&diff, operation, has_lines, &mut lines);
            }
        }
        self.indent(&lines)
    }

    fn operation<'t>(
        &self,
        diff: &TextDiff<'t, 't, str>,
        operation: DiffOp,
        has_lines: bool,
        lines: &mut Vec<String>,
    ) {
        let paired =
            operation.tag() == DiffTag::Replace && operation.old_range().len() == operation.new_range().len();
        for change in diff.iter_changes(&operation) {
            let text = change.value();
            let other = match (paired, change.old_index(), change.new_index()) {
                (true, Some(at), _) => {
                    diff.new_slice(operation.new_range().start + at - operation.old_range().start)
                }
                (true, _, Some(at)) => {
                    diff.old_slice(operation.old_range().start + at - operation.new_range().start)
                }
                _ => None,
            };
            lines.push(self.line(change.tag(), text, other));
            if has_lines && change.missing_newline() && change.tag() != ChangeTag::Equal {
                lines.push(self.paint.faint("\\ no newline at the end").to_string());
            }
        }
    }

    /// One line with its sign; if its other side is known, the difference is emphasised.
    fn line(&self, tag: ChangeTag, text: &str, other: Option<&str>) -> String {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let (before, middle, after) = match other {
            Some(other) => parts(text, other.strip_suffix('\n').unwrap_or(other)),
            None => ("", text, ""),
        };
        let (before, middle, after) = (lead(before), head(middle), head(after));
        match tag {
            ChangeTag::Equal => format!("  {middle}"),
            ChangeTag::Delete if other.is_some() => self.emphasised(false, &before, &middle, &after),
            ChangeTag::Insert if other.is_some() => self.emphasised(true, &before, &middle, &after),
            ChangeTag::Delete => self.paint.removed(format_args!("- {middle}")).to_string(),
            ChangeTag::Insert => self.paint.added(format_args!("+ {middle}")).to_string(),
        }
    }

    fn emphasised(&self, added: bool, before: &str, middle: &str, after: &str) -> String {
        let paint = self.paint;
        let middle = paint.emphasis(added, middle);
        if added {
            format!("{}{middle}{}", paint.added(format_args!("+ {before}")), paint.added(after))
        } else {
            format!("{}{middle}{}", paint.removed(format_args!("- {before}")), paint.removed(after))
        }
    }

    fn indent(&self, lines: &[String]) -> String {
        let shown = if self.verbose { lines.len() } else { lines.len().min(SHOWN) };
        let mut text = String::new();
        for line in &lines[..shown] {
            let _ = writeln!(text, "        {line}");
        }
        if shown < lines.len() {
            let rest = format!("… {} more lines; --verbose shows them", lines.len() - shown);
            let _ = writeln!(text, "        {}", self.paint.faint(rest));
        }
        text
    }
}

/// The common start of `text` and `other`, the difference, and the common end.
fn parts<'a>(text: &'a str, other: &str) -> (&'a str, &'a str, &'a str) {
    let same = |(a, b): &(char, char)| a == b;
    let start: usize = text.chars().zip(other.chars()).take_while(same).map(|(a, _)| a.len_utf8()).sum();
    let ends = text[start..].chars().rev().zip(other[start..].chars().rev());
    let end: usize = ends.take_while(same).map(|(a, _)| a.len_utf8()).sum();
    (&text[..start], &text[start..text.len() - end], &text[text.len() - end..])
}

/// The end of a text that may be long.
fn lead(text: &str) -> String {
    match text.char_indices().rev().nth(LEAD) {
        Some((at, _)) if text.len() > WIDTH => format!("…{}", clean(&text[at..])),
        _ => clean(text).into_owned(),
    }
}

/// The start of a text that may be long.
fn head(text: &str) -> String {
    match text.char_indices().nth(WIDTH) {
        Some((at, _)) => {
            format!("{}… ({} more characters)", clean(&text[..at]), text[at..].chars().count())
        }
        None => clean(text).into_owned(),
    }
}

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

    fn check(old: &str, new: &str, expected: &str) {
        let change = TextChange { paint: Paint::new(false), verbose: false };
        let shown = change.lines(old, new);
        let shown: String = shown.lines().map(|line| format!("{}\n", &line[8..])).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn shows_three_lines_of_context() {
        check(
            "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
            "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
            "@@ -2,7 +2,7 @@\n  2\n  3\n  4\n- 5\n+ five\n  6\n  7\n  8\n",
        );
        check("", "a\nb\n", "+ a\n+ b\n");
        check("a\nb\n", "", "- a\n- b\n");
        check("a\n", "a", "@@ -1 +1 @@\n- a\n+ a\n\\ no newline at the end\n");
        check("\u{1b}[2J\n", "x\n", "@@ -1 +1 @@\n- \\u{1b}[2J\n+ x\n");
    }

    #[test]
    fn cuts_long_lines_around_the_difference() {
        let (old, new) = (format!("{}a{}", "x".repeat(900), "y".repeat(900)), "x".repeat(900));
        let expected = format!(
            "@@ -1 +1 @@\n- …{}a{}… (741 more characters)\n+ …{}\n",
            "x".repeat(41),
            "y".repeat(159),
            "x".repeat(41)
        );
        check(&old, &new, &expected);
    }

    #[test]
    fn cuts_long_diffs() {
        let text: String = (0..1_000).map(|line| format!("{line}\n")).collect();
        let change = TextChange { paint: Paint::new(false), verbose: false };
        let shown = change.lines("", &text);
        assert_eq!(shown.lines().count(), SHOWN + 1);
        assert!(shown.ends_with("        … 900 more lines; --verbose shows them\n"), "{shown}");
        let all = TextChange { verbose: true, ..change }.lines("", &text);
        assert_eq!(all.lines().count(), 1_000);
    }

    #[test]
    fn emphasises_differences_in_a_line() {
        let change = TextChange { paint: Paint::new(true), verbose: false };
        let shown = change.lines("port = 80;\n", "port = 443;\n");
        assert!(shown.contains("\u{1b}[1m\u{1b}[4m\u{1b}[31m80\u{1b}[0m"), "{shown:?}");
        assert!(shown.contains("\u{1b}[1m\u{1b}[4m\u{1b}[32m443\u{1b}[0m"), "{shown:?}");
    }

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
