//! Lines and columns of texts that are not kept.

use crate::place::{LineColumn, Place, SourceId, Sources};

/// So many lines are walked over, at most, to find one of them.
const EVERY: usize = 64;

/// Where the lines of a text are: enough to tell line and column of any place, in a fraction of its memory.
#[derive(Debug)]
pub struct Outline {
    /// How long each line is that has an end, with that. Most are short, and take one byte.
    lengths: Box<[u8]>,
    /// Of every so many lines: where it starts, and where its length is.
    marks: Box<[(u32, u32)]>,
    length: usize,
    /// The lines that have characters of more than one byte, which columns count, by their number from 0.
    wide: Box<[(u32, Box<str>)]>,
}

impl Outline {
    /// The outline of a text. Costs a scan of it, and a copy of lines that are not plain ASCII.
    ///
    /// # Panics
    /// If it is larger than a place can tell: 4 GiB.
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

    /// Line and column of a byte, both from 1. What lies outside is at the end. Costs the logarithm of how many lines
    /// there are, and a scan of a line that is not plain ASCII.
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

    /// The number of the line that a byte is in, from 1, and where it starts.
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

/// Writes seven bits in a byte, the lowest first; the eighth says that more follow.
fn push(lengths: &mut Vec<u8>, mut length: usize) {
    while length >= 0x80 {
        lengths.push(length as u8 | 0x80);
        length >>= 7;
    }
    lengths.push(length as u8);
}

/// Reads what [`push`] wrote.
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

/// The names and outlines of all texts of a run: tells where something was written when the texts are gone.
#[derive(Debug, Default)]
pub struct Outlines {
    list: Vec<(String, Outline)>,
}

impl Outlines {
    /// The outlines of these texts. Costs a scan of all of them.
    pub fn of(sources: &Sources) -> Self {
        let outlined = sources.iter().map(|source| (source.name.clone(), Outline::of(&source.text)));
        Self { list: outlined.collect() }
    }

    /// The name of the text with this number.
    pub fn name(&self, id: SourceId) -> &str {
        &self.list[id.index()].0
    }

    /// Line and column where `place` starts.
    pub fn position(&self, place: Place) -> LineColumn {
        self.list[place.source.index()].1.position(place.start)
    }

    /// `name:line:column`, as terminals and editors make it clickable.
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
        let outlines = Outlines::of(&sources);
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
