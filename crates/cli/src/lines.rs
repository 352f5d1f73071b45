//! Lines and columns of many places, without a scan of the text for each.

use std::collections::HashMap;
use std::ops::Range;

use uphold::model::{LineColumn, Place, SourceId, Sources};

/// Where the lines of each source begin.
pub(crate) type LineStarts = HashMap<SourceId, Vec<u32>>;

/// Where the lines of the sources begin. A source is scanned once, when it is first asked for.
pub(crate) struct Lines<'a> {
    sources: &'a Sources,
    starts: LineStarts,
}

impl<'a> Lines<'a> {
    /// The lines of these texts.
    pub(crate) fn new(sources: &'a Sources) -> Self {
        Self::resumed(sources, LineStarts::new())
    }

    /// The same, where some of them were found out before.
    pub(crate) fn resumed(sources: &'a Sources, starts: LineStarts) -> Self {
        Self { sources, starts }
    }

    /// What was found out.
    pub(crate) fn into_starts(self) -> LineStarts {
        self.starts
    }

    /// The name of the text that holds `place`.
    pub(crate) fn name(&self, place: Place) -> &'a str {
        &self.sources.get(place.source).name
    }

    /// The text of the line in which `place` starts, and its place in the source, without its end.
    pub(crate) fn line(&mut self, place: Place) -> (&'a str, Range<usize>) {
        let text: &'a str = &self.sources.get(place.source).text;
        let start = self.start(place).1;
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        (&text[start..end], start..end)
    }

    /// Line and column where `place` starts, both from 1.
    pub(crate) fn position(&mut self, place: Place) -> LineColumn {
        let (line, start) = self.start(place);
        let text = &self.sources.get(place.source).text;
        // A place may lie outside: of a secret, the text is not kept.
        let end = text.floor_char_boundary(place.start as usize).max(start);
        LineColumn { line, column: text[start..end].chars().count() + 1 }
    }

    /// `name:line:column`, as terminals and editors make it clickable.
    pub(crate) fn describe(&mut self, place: Place) -> String {
        let at = self.position(place);
        format!("{}:{}:{}", self.name(place), at.line, at.column)
    }

    /// The number of the line in which `place` starts, and where the line does.
    fn start(&mut self, place: Place) -> (usize, usize) {
        let sources = self.sources;
        let starts = self.starts.entry(place.source).or_insert_with(|| line_starts(sources, place.source));
        let line = starts.partition_point(|start| *start <= place.start);
        (line, starts[line - 1] as usize)
    }
}

fn line_starts(sources: &Sources, source: SourceId) -> Vec<u32> {
    let after = |(index, _)| u32::try_from(index + 1).expect("places are 32 bits wide");
    std::iter::once(0).chain(sources.get(source).text.match_indices('\n').map(after)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_where_an_editor_shows_them() {
        let mut sources = Sources::default();
        let text = "a = 1\n\nä = é\n";
        let source = sources.add("x.hcl", text);
        let mut lines = Lines::new(&sources);
        let mut check = |at: usize, expected: &str, line: &str| {
            let start = u32::try_from(at).expect("a short text");
            let place = Place { source, start, end: start };
            assert_eq!(lines.describe(place), expected);
            assert_eq!(lines.line(place).0, line);
            assert_eq!(lines.describe(place), sources.describe(place));
        };
        check(0, "x.hcl:1:1", "a = 1");
        check(6, "x.hcl:2:1", "");
        check(text.find('é').expect("it is there"), "x.hcl:3:5", "ä = é");
        check(text.len(), "x.hcl:4:1", "");
        let outside = Place { source, start: 99, end: 99 };
        assert_eq!((lines.describe(outside), lines.line(outside).0), ("x.hcl:4:1".to_owned(), ""));
    }
}
