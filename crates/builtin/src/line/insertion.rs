//! The position at which a new line or block is inserted.

use uphold_kit::document::Document;

use super::anchor::{Anchor, Spot};

/// The position of a new line.
#[derive(Clone, Copy)]
pub(crate) enum Insertion<'a> {
    /// After the last matching line, otherwise at the end.
    After(&'a Anchor),
    /// Before the first matching line, otherwise at the end.
    Before(&'a Anchor),
    /// At the end.
    Last,
}

impl Insertion<'_> {
    /// The index of the new line in this document.
    pub(crate) fn index(self, document: &Document<'_>) -> usize {
        let (anchor, behind) = match self {
            Insertion::After(anchor) => (&anchor.0, true),
            Insertion::Before(anchor) => (&anchor.0, false),
            Insertion::Last => (&Spot::End, true),
        };
        let found = match anchor {
            Spot::Begin => Some(0),
            Spot::End => None,
            Spot::Matching(pattern) if behind => {
                document.lines().rposition(|line| pattern.matches(line)).map(|at| at + 1)
            }
            Spot::Matching(pattern) => document.lines().position(|line| pattern.matches(line)),
        };
        found.unwrap_or(document.lines().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uphold_resource::{Context, Property, Value};

    #[test]
    fn finds_positions() {
        let check = |anchor: &str, after: bool, expected: usize| {
            let anchor = Anchor::from_value(&Value::text(anchor), &Context::NOTHING).expect("an anchor");
            let insertion = if after { Insertion::After(&anchor) } else { Insertion::Before(&anchor) };
            let document = Document::new(b"a\nb1\nb2\nc\n");
            assert_eq!(insertion.index(&document), expected, "{anchor:?} {after}");
        };
        check("^b", true, 3);
        check("^b", false, 1);
        check("nowhere", true, 4);
        check("nowhere", false, 4);
        check("BOF", false, 0);
        check("BOF", true, 0);
        check("EOF", true, 4);
        check("EOF", false, 4);
    }
}
