//! Lines and columns of texts that are not kept.

use crate::place::{LineColumn, Place, SourceId, Sources};

/// Where the lines of a text are: enough to tell line and column of any place, in a fraction of its memory.
#[derive(Debug)]
pub struct Outline {
    /// Where each line starts.
    starts: Box<[u32]>,
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
        let after = |(at, _)| u32::try_from(at + 1).expect("places are 32 bits wide");
        let starts: Vec<u32> = std::iter::once(0).chain(text.match_indices('\n').map(after)).collect();
        let is_wide = |(_, line): &(u32, &str)| !line.is_ascii();
        let wide = (0..).zip(text.split('\n')).filter(is_wide).map(|(number, line)| (number, line.into()));
        let wide = if text.is_ascii() { Box::default() } else { wide.collect() };
        Self { starts: starts.into(), length: text.len(), wide }
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
        let line = self.starts.partition_point(|start| *start <= byte);
        (line, self.starts[line - 1] as usize)
    }
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
        &self.list[id.0 as usize].0
    }

    /// Line and column where `place` starts.
    pub fn position(&self, place: Place) -> LineColumn {
        self.list[place.source.0 as usize].1.position(place.start)
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
        for (name, text) in
            [("a.hcl", "a = 1\n\nä = é\nb"), ("b.hcl", ""), ("c.hcl", "x\r\n\n"), ("d.hcl", "ü")]
        {
            sources.add(name, text);
        }
        let outlines = Outlines::of(&sources);
        for (number, source) in (0..).zip(sources.iter()) {
            let bytes = (0..=source.text.len()).filter(|byte| source.text.is_char_boundary(*byte));
            for start in bytes.map(|byte| u32::try_from(byte).expect("a short text")) {
                let place = Place { source: SourceId(number), start, end: start };
                assert_eq!(outlines.describe(place), sources.describe(place));
            }
        }
        let outside = Place { source: SourceId(0), start: 99, end: 99 };
        assert_eq!(outlines.describe(outside), "a.hcl:4:2");
    }
}
