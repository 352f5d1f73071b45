//! Places in source texts: sources, byte spans, lines and columns.

use std::num::NonZeroU32;
use std::ops::Range;

use crate::source_text::SourceText;

/// The number of a source in [`Sources`].
///
/// It is stored plus one, so that an `Option` of a place takes no more memory than a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(NonZeroU32);

impl SourceId {
    /// The first source.
    pub const FIRST: SourceId = SourceId(NonZeroU32::MIN);

    /// The source that was added after this many others.
    ///
    /// # Panics
    /// If the number is 2^32 or more.
    pub fn after(others: usize) -> Self {
        let number = u32::try_from(others + 1).ok().and_then(NonZeroU32::new);
        Self(number.expect("fewer than 2^32 sources"))
    }

    /// The number of sources that were added before it.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A byte span of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The source.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Place {
    /// The span as a range, for slicing.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The smallest place that holds both; `other` must be of the same source.
    pub fn to(self, other: Place) -> Place {
        Place { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A 1-based line and column (in characters), as editors count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// 1-based line.
    pub line: usize,
    /// 1-based column, in characters.
    pub column: usize,
}

/// A source text and the name that users know it by.
#[derive(Debug)]
pub struct Source {
    /// The file name as the user gave it.
    pub name: String,
    /// The whole text, shared with its readers.
    pub text: SourceText,
    /// Whether it may contain secrets, so that no message may quote it.
    pub confidential: bool,
}

/// All source texts of a run; a [`Place`] is a span of one of them.
#[derive(Debug, Default)]
pub struct Sources {
    list: Vec<Source>,
}

impl Sources {
    /// Adds a text and returns its number. A byte order mark is dropped.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<SourceText>) -> SourceId {
        let text = text.into().without_mark();
        self.list.push(Source { name: name.into(), text, confidential: false });
        SourceId::after(self.list.len() - 1)
    }

    /// Adds a text that no message may quote; messages show only places in it.
    pub fn add_confidential(&mut self, name: impl Into<String>, text: impl Into<SourceText>) -> SourceId {
        let id = self.add(name, text);
        self.list[id.index()].confidential = true;
        id
    }

    /// The source with this number.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.list[id.index()]
    }

    /// All sources, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.list.iter()
    }

    /// The text at `place`.
    pub fn text(&self, place: Place) -> &str {
        &self.get(place.source).text[place.range()]
    }

    /// The line and column where `place` starts. Scans the text: for messages only.
    pub fn line_column(&self, place: Place) -> LineColumn {
        let before = &self.get(place.source).text[..place.start as usize];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        LineColumn {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }

    /// `name:line:column`, which terminals and editors make clickable.
    pub fn describe(&self, place: Place) -> String {
        let at = self.line_column(place);
        format!("{}:{}:{}", self.get(place.source).name, at.line, at.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_place_costs_nothing() {
        assert_eq!(size_of::<Option<Place>>(), size_of::<Place>());
        assert_eq!((SourceId::FIRST.index(), SourceId::after(7).index()), (0, 7));
    }

    #[test]
    fn columns_count_characters() {
        let mut sources = Sources::default();
        let source = sources.add("a.hcl", "x = 1\nä = é\n");
        let at = "x = 1\nä = ".len() as u32;
        assert_eq!(sources.describe(Place { source, start: at, end: at + 2 }), "a.hcl:2:5");
    }
}
