//! Lines and columns of the protocol: both from 0, a column counts units of UTF-16.

use std::ops::Range;

use gen_lsp_types as lsp;
use gen_lsp_types::Position;

/// Where the lines of a text start. Made in one pass; each question after that costs a search by halves.
#[derive(Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    /// After each character beyond ASCII: how many bytes more than units there were so far.
    surplus: Vec<(usize, usize)>,
}

impl Lines {
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

    /// Where a byte is.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        Position::new(number(line), number(self.units(offset) - self.units(self.starts[line])))
    }

    /// A range as the protocol writes it.
    pub(crate) fn range(&self, range: &Range<usize>) -> lsp::Range {
        lsp::Range::new(self.position(range.start), self.position(range.end))
    }

    /// The byte at a position of this text: the end of the line if the line is shorter, the end of the text if it
    /// has fewer lines.
    pub(crate) fn offset(&self, text: &str, position: Position) -> usize {
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

    /// Units of UTF-16 before a byte.
    fn units(&self, offset: usize) -> usize {
        let before = self.surplus.partition_point(|(after, _)| *after <= offset);
        let surplus = before.checked_sub(1).map_or(0, |last| self.surplus[last].1);
        offset - surplus
    }
}

/// A text of 4 GiB is no message.
fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let text = "ab\r\n\nä€𝄞x\ry";
        let lines = Lines::new(text);
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
    fn places_outside_are_the_nearest_inside() {
        let check = |text: &str, line, column, expected| {
            let position = Position::new(line, column);
            assert_eq!(Lines::new(text).offset(text, position), expected, "{text:?} {position:?}");
        };
        check("", 0, 0, 0);
        check("", 7, 7, 0);
        check("ab\ncd", 0, 9, 2);
        check("ab\r\ncd", 0, 9, 2);
        check("ab\ncd", 9, 0, 5);
        // In the middle of a pair of units.
        check("𝄞x", 0, 1, 4);
    }
}
