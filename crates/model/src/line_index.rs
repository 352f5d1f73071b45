//! Lines and columns of texts that are no longer in memory.

use crate::place::{LineColumn, Place, SourceId, Sources};

/// The maximum number of lines that a lookup decodes.
const EVERY: usize = 64;

/// The line lengths of a text: enough to find the line and column of any byte, in a fraction of the text's memory.
#[derive(Debug)]
pub struct Outline {
    /// The length of each line with its line break, as variable-length integers. Most lines are short and take one
    /// byte.
    lengths: Box<[u8]>,
    /// For every `EVERY`th line: its first byte, and the position of its length in `lengths`.
    marks: Box<[(u32, u32)]>,
    length: usize,
    /// Lines with multi-byte characters, whose columns must be counted, by 0-based line number.
    wide: Box<[(u32, Box<str>)]>,
}

impl Outline {
    /// The index of a text. Scans the text, and copies lines that are not ASCII.
    ///
    /// # Panics
    /// If the text is larger than 4 GiB.
    pub fn of(text: &str) -> Self {
        let number = |at: usize| u32::try_from(at).expect("places are 32 bits wide");
        let (mut lengths, mut marks, mut start) = (Vec::new(), vec![(0, 0)], 0);
        for (line, (end, _)) in text.match_indices('\n').enumerate() {
            push(&mut lengths, end + 1 - start);
            start = end + 1;
            if (line + 1) % EVERY == 0 {
                marks.push((number(start), number(lengths.len())));
            }
        }
        let is_wide = |(_, line): &(u32, &str)| !line.is_ascii();
        let wide = (0..).zip(text.split('\n')).filter(is_wide).map(|(number, line)| (number, line.into()));
        let wide = if text.is_ascii() { Box::default() } else { wide.collect() };
        Self { lengths: lengths.into(), marks: marks.into(), length: text.len(), wide }
    }

    /// The 1-based line and column of a byte. A byte outside the text is at its end. Takes time logarithmic in the
    /// number of lines, and a scan of the line if it is not ASCII.
    pub fn position(&self, byte: u32) -> LineColumn {
        let (line, start) = self.line(byte);
        let within = (byte as usize).min(self.length).saturating_sub(start);
        let number = u32::try_from(line - 1).unwrap_or(u32::MAX);
        let column = match self.wide.binary_search_by_key(&number, |(number, _)| *number) {
            Ok(found) => {
                let text = &self.wide[found].1;
                text[..text.floor_char_boundary(within)].chars().count()
            }
            Err(_) => within,
        };
        LineColumn { line, column: column + 1 }
    }

    /// The 1-based number of the line that contains a byte, and the first byte of that line.
    pub fn line(&self, byte: u32) -> (usize, usize) {
        let mark = self.marks.partition_point(|(start, _)| *start <= byte) - 1;
        let (start, at) = self.marks[mark];
        let (mut line, mut start) = (mark * EVERY + 1, start as usize);
        let mut lengths = self.lengths[at as usize..].iter();
        while let Some(length) = pull(&mut lengths)
            && start + length <= byte as usize
        {
            (line, start) = (line + 1, start + length);
        }
        (line, start)
    }
}

/// Writes seven bits per byte, the lowest first; the eighth bit is set if more bytes follow.
fn push(lengths: &mut Vec<u8>, mut length: usize) {
    while length >= 0x80 {
        lengths.push(length as u8 | 0x80);
        length >>= 7;
    }
    lengths.push(length as u8);
}

/// Reads a number that [`push`] wrote.
fn pull(lengths: &mut std::slice::Iter<'_, u8>) -> Option<usize> {
    let mut length = 0;
    for shift in (0..).step_by(7) {
        let byte = *lengths.next()?;
        length |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    Some(length)
}

/// The names and line indexes of all sources of a run: resolves places after the texts were freed.
#[derive(Debug, Default)]
pub struct LineIndexes {
    list: Vec<(String, Outline)>,
}

impl LineIndexes {
    /// The line indexes of these sources. Scans all of them.
    pub fn of(sources: &Sources) -> Self {
        let outlined = sources.iter().map(|source| (source.name.clone(), Outline::of(&source.text)));
        Self { list: outlined.collect() }
    }

    /// The name of a source.
    pub fn name(&self, id: SourceId) -> &str {
        &self.list[id.index()].0
    }

    /// The line and column where `place` starts.
    pub fn position(&self, place: Place) -> LineColumn {
        self.list[place.source.index()].1.position(place.start)
    }

    /// `name:line:column`, which terminals and editors make clickable.
    pub fn describe(&self, place: Place) -> String {
        let at = self.position(place);
        format!("{}:{}:{}", self.name(place.source), at.line, at.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_says_what_the_text_says() {
        let mut sources = Sources::default();
        let long = format!("{}{}\n{}x", "y\n".repeat(EVERY - 2), "z".repeat(300), "\n".repeat(2 * EVERY));
        for (name, text) in [
            ("a.hcl", "a = 1\n\nä = é\nb"),
            ("b.hcl", ""),
            ("c.hcl", "x\r\n\n"),
            ("d.hcl", "ü"),
            ("e.hcl", &long),
        ] {
            sources.add(name, text);
        }
        let outlines = LineIndexes::of(&sources);
        for (number, source) in sources.iter().enumerate() {
            let bytes = (0..=source.text.len()).filter(|byte| source.text.is_char_boundary(*byte));
            for start in bytes.map(|byte| u32::try_from(byte).expect("a short text")) {
                let place = Place { source: SourceId::after(number), start, end: start };
                assert_eq!(outlines.describe(place), sources.describe(place));
            }
        }
        let outside = Place { source: SourceId::FIRST, start: 99, end: 99 };
        assert_eq!(outlines.describe(outside), "a.hcl:4:2");
    }
}
