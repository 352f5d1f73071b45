//! A text file as lines with their endings.
//!
//! ```
//! use uphold_kit::document::Document;
//!
//! let mut hosts = Document::new(b"127.0.0.1 localhost\r\n::1 old\r\n");
//! hosts.put("::1 new".to_owned(), |line| line.starts_with(b"::1 "));
//! assert_eq!(hosts.content(), b"127.0.0.1 localhost\r\n::1 new\r\n");
//! ```

use std::borrow::Cow;
use std::cell::Cell;

const UNIX: &[u8] = b"\n";
const DOS: &[u8] = b"\r\n";

/// The lines of a file, for edits. Unchanged lines keep every byte, and new ones get the line ending of the file.
pub struct Document<'a> {
    lines: Vec<Piece<'a>>,
    /// The line ending of the file: that of its first line.
    ending: &'static [u8],
}

struct Piece<'a> {
    text: Cow<'a, [u8]>,
    /// Empty for a last line without an ending.
    ending: &'static [u8],
}

impl<'a> Document<'a> {
    /// Splits a file into lines, without copying its content.
    pub fn new(content: &'a [u8]) -> Self {
        let lines: Vec<Piece<'a>> = content.split_inclusive(|byte| *byte == b'\n').map(piece).collect();
        let first = lines.first().map_or(UNIX, |line| line.ending);
        Self { lines, ending: if first == DOS { DOS } else { UNIX } }
    }

    /// The lines without their endings.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &[u8]> + ExactSizeIterator {
        self.lines.iter().map(|line| &*line.text)
    }

    /// Replaces the text of one line; its ending is kept.
    pub fn replace(&mut self, at: usize, text: &'a [u8]) {
        self.lines[at].text = Cow::Borrowed(text);
    }

    /// Replaces the lines from `start` to before `end`. If the last line had no ending, the new last line has none
    /// either.
    pub fn splice(&mut self, start: usize, end: usize, texts: impl Iterator<Item = Cow<'a, [u8]>>) {
        let open = self.lines.last().is_some_and(|last| last.ending.is_empty());
        let ending = self.ending;
        if let Some(last) = self.lines.last_mut().filter(|_| open) {
            last.ending = ending;
        }
        self.lines.splice(start..end, texts.map(|text| Piece { text, ending }));
        if let Some(last) = self.lines.last_mut().filter(|_| open) {
            last.ending = b"";
        }
    }

    /// Replaces the first line for which `is_ours` is true, or adds one at the end. Further such lines are removed,
    /// because the last one would take effect.
    pub fn put(&mut self, text: String, is_ours: impl Fn(&[u8]) -> bool) {
        let is_found = Cell::new(false);
        self.retain(|line| !is_ours(line) || !is_found.replace(true));
        let lines = self.lines.len();
        let found = self.lines().position(is_ours);
        let (start, end) = found.map_or((lines, lines), |at| (at, at + 1));
        self.splice(start, end, std::iter::once(Cow::Owned(text.into_bytes())));
    }

    /// Keeps only the lines for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&[u8]) -> bool) {
        self.retain_numbered(|_, line| keep(line));
    }

    /// Like [`retain`](Self::retain), with line numbers from 0.
    pub fn retain_numbered(&mut self, mut keep: impl FnMut(usize, &[u8]) -> bool) {
        let open = self.lines.last().is_some_and(|last| last.ending.is_empty());
        let mut number = 0..;
        self.lines.retain(|line| number.next().is_some_and(|number| keep(number, &line.text)));
        if let Some(last) = self.lines.last_mut().filter(|_| open) {
            last.ending = b"";
        }
    }

    /// The content of the file.
    pub fn content(&self) -> Vec<u8> {
        let size = self.lines.iter().map(|line| line.text.len() + line.ending.len()).sum();
        let mut content = Vec::with_capacity(size);
        for line in &self.lines {
            content.extend_from_slice(&line.text);
            content.extend_from_slice(line.ending);
        }
        content
    }
}

fn piece(line: &[u8]) -> Piece<'_> {
    let ending: &'static [u8] = match line {
        [.., b'\r', b'\n'] => DOS,
        [.., b'\n'] => UNIX,
        _ => b"",
    };
    Piece { text: Cow::Borrowed(&line[..line.len() - ending.len()]), ending }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(texts: &[&'static str]) -> impl Iterator<Item = Cow<'static, [u8]>> {
        texts.iter().map(|text| Cow::Borrowed(text.as_bytes()))
    }

    #[test]
    fn unedited_content_round_trips() {
        for content in ["", "\n", "a", "a\n", "a\r\nb\n", "a\n\nb", "\r\n\r", "a\rb\n"] {
            assert_eq!(Document::new(content.as_bytes()).content(), content.as_bytes(), "{content:?}");
        }
    }

    #[test]
    fn edits_keep_line_endings() {
        let check =
            |content: &'static str, (start, end): (usize, usize), new: &[&'static str], expected: &str| {
                let mut document = Document::new(content.as_bytes());
                document.splice(start, end, owned(new));
                assert_eq!(String::from_utf8_lossy(&document.content()), expected, "{content:?}");
            };
        check("", (0, 0), &["x"], "x\n");
        check("a\n", (1, 1), &["x"], "a\nx\n");
        check("a", (1, 1), &["x"], "a\nx");
        check("a\r\nb", (2, 2), &["x"], "a\r\nb\r\nx");
        check("a\r\nb\r\n", (0, 0), &["x", "y"], "x\r\ny\r\na\r\nb\r\n");
        check("a\nb", (1, 2), &[], "a");
        check("a\nb\nc\n", (1, 2), &["x", "y"], "a\nx\ny\nc\n");
        check("a", (0, 1), &[], "");
    }

    #[test]
    fn replaces_or_appends_a_line() {
        let check = |before: &str, after: &str| {
            let mut document = Document::new(before.as_bytes());
            document.put("a=2".to_owned(), |line| line.starts_with(b"a="));
            assert_eq!(String::from_utf8_lossy(&document.content()), after, "{before:?}");
        };
        check("", "a=2\n");
        check("# x\n", "# x\na=2\n");
        check("a=1\nb=1\na=3\n", "a=2\nb=1\n");
        check("b=1", "b=1\na=2");
        check("b=1\r\n", "b=1\r\na=2\r\n");
    }
}
