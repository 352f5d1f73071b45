//! The text of one file, with positions as the protocol counts them: lines and columns from 0, columns in UTF-16 units.

use std::cell::OnceCell;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::{self as lsp, Location, Position, TextEdit};
use uphold::{Outline, outline};

use crate::uri::uri_of;

/// An immutable text. Its line index and its outline are computed at their first use.
pub(crate) struct Document {
    pub(crate) path: PathBuf,
    /// As the editor writes it, if the file is open.
    pub(crate) uri: String,
    pub(crate) text: Arc<str>,
    lines: OnceCell<LineIndex>,
    outline: OnceCell<Outline>,
}

impl Document {
    /// A file on the disk.
    pub(crate) fn on_disk(path: PathBuf, text: String) -> Self {
        let uri = uri_of(&path);
        Self::open(path, uri, text)
    }

    /// A file that is open in the editor.
    pub(crate) fn open(path: PathBuf, uri: String, text: String) -> Self {
        Self { path, uri, text: text.into(), lines: OnceCell::new(), outline: OnceCell::new() }
    }

    fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    pub(crate) fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| outline(&self.text))
    }

    /// The directory of the file; all files of a directory are one configuration.
    pub(crate) fn directory(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }

    /// The directory of the configuration that it belongs to: kind files are in `kinds` below it.
    pub(crate) fn configuration_directory(&self) -> &Path {
        let directory = self.directory();
        let is_kind_file =
            directory.ends_with("kinds") && self.path.extension().is_none_or(|end| end != "hcl");
        if is_kind_file { directory.parent().unwrap_or(directory) } else { directory }
    }

    pub(crate) fn offset(&self, position: Position) -> usize {
        self.lines().offset(&self.text, position)
    }

    pub(crate) fn range(&self, range: &Range<usize>) -> lsp::Range {
        self.lines().range(range)
    }

    pub(crate) fn location(&self, range: &Range<usize>) -> Location {
        Location::new(self.uri.clone().into(), self.range(range))
    }

    /// The edit that formats the file: empty if it is formatted already, none if it cannot be parsed. It leaves out the
    /// common beginning and end, so that the cursor does not move.
    pub(crate) fn format(&self) -> Option<Vec<TextEdit>> {
        let formatted = uphold::format::format(&self.text).ok()?;
        let (old, new) = (&*self.text, formatted.as_str());
        if old == new {
            return Some(Vec::new());
        }
        let start = old.floor_char_boundary(common(old.bytes().zip(new.bytes())));
        let (old_rest, new_rest) = (&old[start..], &new[start..]);
        let same = common(old_rest.bytes().rev().zip(new_rest.bytes().rev()));
        let same = old_rest.len() - old_rest.ceil_char_boundary(old_rest.len() - same);
        let range = self.range(&(start..old.len() - same));
        Some(vec![TextEdit::new(range, new_rest[..new_rest.len() - same].to_owned())])
    }
}

fn common(pairs: impl Iterator<Item = (u8, u8)>) -> usize {
    pairs.take_while(|(one, other)| one == other).count()
}

/// The starts of the lines of a text. Built in one pass; a lookup is a binary search.
#[derive(Debug)]
pub(crate) struct LineIndex {
    starts: Vec<usize>,
    /// After each non-ASCII character: by how much the bytes so far exceed the UTF-16 units.
    surplus: Vec<(usize, usize)>,
}

impl LineIndex {
    pub(crate) fn new(text: &str) -> Self {
        let (mut starts, mut surplus) = (vec![0], Vec::new());
        let mut total = 0;
        let bytes = text.as_bytes();
        for (at, character) in text.char_indices() {
            let after = at + character.len_utf8();
            match character {
                '\n' => starts.push(after),
                '\r' if bytes.get(after) != Some(&b'\n') => starts.push(after),
                character if !character.is_ascii() => {
                    total += character.len_utf8() - character.len_utf16();
                    surplus.push((after, total));
                }
                _ => {}
            }
        }
        Self { starts, surplus }
    }

    fn position(&self, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let number = |number| u32::try_from(number).unwrap_or(u32::MAX);
        Position::new(number(line), number(self.units(offset) - self.units(self.starts[line])))
    }

    pub(crate) fn range(&self, range: &Range<usize>) -> lsp::Range {
        lsp::Range::new(self.position(range.start), self.position(range.end))
    }

    /// The byte offset of a position: the end of the line if the line is shorter, the end of the text if it has fewer
    /// lines.
    fn offset(&self, text: &str, position: Position) -> usize {
        let (line, column) = (position.line as usize, position.character as usize);
        let Some(&start) = self.starts.get(line) else { return text.len() };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let line = text[start..end].trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (at, character) in line.char_indices() {
            if units >= column {
                return start + at;
            }
            units += character.len_utf16();
        }
        start + line.len()
    }

    /// The UTF-16 units before a byte.
    fn units(&self, offset: usize) -> usize {
        let before = self.surplus.partition_point(|(after, _)| *after <= offset);
        offset - before.checked_sub(1).map_or(0, |last| self.surplus[last].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_positions_convert_both_ways() {
        let text = "ab\r\n\nä€𝄞x\ry";
        let lines = LineIndex::new(text);
        let check = |offset: usize, line: u32, column: u32| {
            let position = Position::new(line, column);
            assert_eq!(lines.position(offset), position, "{offset}");
            assert_eq!(lines.offset(text, position), offset, "{position:?}");
        };
        check(0, 0, 0);
        check(2, 0, 2);
        check(4, 1, 0);
        check(5, 2, 0);
        check(7, 2, 1);
        check(10, 2, 2);
        check(14, 2, 4);
        check(15, 2, 5);
        check(16, 3, 0);
        check(17, 3, 1);
    }

    #[test]
    fn positions_outside_the_text_are_clamped() {
        let check = |text: &str, line, column, expected| {
            let position = Position::new(line, column);
            assert_eq!(LineIndex::new(text).offset(text, position), expected, "{text:?} {position:?}");
        };
        check("", 0, 0, 0);
        check("", 7, 7, 0);
        check("ab\ncd", 0, 9, 2);
        check("ab\r\ncd", 0, 9, 2);
        check("ab\ncd", 9, 0, 5);
        // Between two UTF-16 units of one character.
        check("𝄞x", 0, 1, 4);
    }
}
