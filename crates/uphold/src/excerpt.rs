//! The piece of a source that a message shows.

use std::ops::Range;

use uphold_model::Place;

use crate::lines::Lines;

/// How many bytes of a line are shown before the place, and from its start on. A line may be
/// megabytes long, and a terminal is not.
const BEFORE: usize = 60;
const FROM: usize = 100;

/// What stands for the rest of a line.
const CUT: &str = "…";

/// One line, or the part of it around a place.
#[derive(Debug, PartialEq)]
pub(crate) struct Excerpt {
    /// What is shown.
    pub(crate) text: String,
    /// The place in what is shown. A place of several lines is shown by its first.
    pub(crate) span: Range<usize>,
    /// Whether the beginning of the line was left out, so that columns cannot be counted in it.
    pub(crate) is_shifted: bool,
}

impl Excerpt {
    /// The excerpt for `place`. Costs a scan of its line.
    pub(crate) fn of(lines: &mut Lines<'_>, place: Place) -> Self {
        let (text, range) = lines.line(place);
        let within = |at: u32| (at as usize).saturating_sub(range.start).min(text.len());
        let (start, end) = (within(place.start), within(place.end).max(within(place.start)));
        Self::cut(text.trim_end_matches('\r'), start..end)
    }

    fn cut(line: &str, span: Range<usize>) -> Self {
        let start = span.start.min(line.len());
        let from = line.floor_char_boundary(start.saturating_sub(BEFORE));
        let to = line.ceil_char_boundary((start + FROM).min(line.len()));
        let (before, after) = (if from > 0 { CUT } else { "" }, if to < line.len() { CUT } else { "" });
        let shift = |at: usize| at.clamp(from, to) - from + before.len();
        Self {
            text: format!("{before}{}{after}", &line[from..to]),
            span: shift(span.start)..shift(span.end),
            is_shifted: from > 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let check = |line: &str, span: Range<usize>, text: &str, marked: &str| {
            let excerpt = Excerpt::cut(line, span);
            assert_eq!(excerpt.text, text);
            assert_eq!(&excerpt.text[excerpt.span.clone()], marked);
        };
        check("mode = 1", 7..8, "mode = 1", "1");
        check("", 0..0, "", "");
        let long = format!("{}HERE{}", "a".repeat(5_000), "b".repeat(5_000));
        let around = format!("…{}HERE{}…", "a".repeat(60), "b".repeat(96));
        check(&long, 5_000..5_004, &around, "HERE");
        check(&long, 5_000..10_004, &around, &format!("HERE{}", "b".repeat(96)));
        check(&"é".repeat(5_000), 2..4, &format!("{}…", "é".repeat(51)), "é");
    }
}
