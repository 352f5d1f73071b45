//! Lines and columns of many places, without a scan of the text for each.

use std::collections::HashMap;
use std::ops::Range;

use uphold_model::{LineColumn, Outline, Outlines, Place, SourceId, Sources};

/// Where the lines of texts begin.
pub struct Lines<'a>(Texts<'a>);

enum Texts<'a> {
    /// Of texts that are there. Each is scanned once, when it is first asked for.
    Read { sources: &'a Sources, outlines: HashMap<SourceId, Outline> },
    /// Of texts that are not kept.
    Outlined(&'a Outlines),
}

impl<'a> Lines<'a> {
    /// The lines of these texts.
    pub fn new(sources: &'a Sources) -> Self {
        Self(Texts::Read { sources, outlines: HashMap::new() })
    }

    /// The lines of texts that are not kept.
    pub fn outlined(outlines: &'a Outlines) -> Self {
        Self(Texts::Outlined(outlines))
    }

    /// The name of the text that holds `place`.
    pub fn name(&self, place: Place) -> &'a str {
        match &self.0 {
            Texts::Read { sources, .. } => &sources.get(place.source).name,
            Texts::Outlined(outlines) => outlines.name(place.source),
        }
    }

    /// Whether no part of the text that holds `place` may be shown.
    pub fn is_confidential(&self, place: Place) -> bool {
        match &self.0 {
            Texts::Read { sources, .. } => sources.get(place.source).confidential,
            Texts::Outlined(_) => true,
        }
    }

    /// The text of the line in which `place` starts, and its place in the source, without its end. Empty if the text
    /// is not kept.
    pub fn line(&mut self, place: Place) -> (&'a str, Range<usize>) {
        let Texts::Read { sources, outlines } = &mut self.0 else { return ("", 0..0) };
        let sources: &'a Sources = sources;
        let text = &sources.get(place.source).text;
        let start = outline(sources, outlines, place.source).line(place.start).1;
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        (&text[start..end], start..end)
    }

    /// Line and column where `place` starts, both from 1. A place may lie outside: of a secret, the text is not kept.
    pub fn position(&mut self, place: Place) -> LineColumn {
        match &mut self.0 {
            Texts::Read { sources, outlines } => {
                outline(sources, outlines, place.source).position(place.start)
            }
            Texts::Outlined(outlines) => outlines.position(place),
        }
    }

    /// `name:line:column`, as terminals and editors make it clickable.
    pub fn describe(&mut self, place: Place) -> String {
        let at = self.position(place);
        format!("{}:{}:{}", self.name(place), at.line, at.column)
    }
}

fn outline<'a>(
    sources: &Sources,
    outlines: &'a mut HashMap<SourceId, Outline>,
    source: SourceId,
) -> &'a Outline {
    outlines.entry(source).or_insert_with(|| Outline::of(&sources.get(source).text))
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
