//! A block of lines between two markers.

use std::borrow::Cow;

use uphold_kit::document::Document;
use uphold_kit::pattern::Pattern;
use uphold_resource::{Context, Error, ErrorKind, Problem, Property, Result, Type, Value};

/// The markers of a block.
pub(crate) struct Block {
    begin: String,
    end: String,
}

/// The line numbers of a block's markers.
struct Extent {
    begin: usize,
    end: usize,
}

impl Block {
    /// The block with this name; markers begin with `comment`.
    pub(crate) fn new(comment: &str, name: &str) -> Self {
        Self { begin: format!("{comment} BEGIN uphold {name}"), end: format!("{comment} END uphold {name}") }
    }

    /// Whether the content contains one of the markers, so that the block could not be found again.
    pub(crate) fn is_broken_by(&self, text: &Lines) -> bool {
        text.iter().any(|line| line == self.begin || line == self.end)
    }

    fn extent(&self, document: &Document<'_>) -> Result<Option<Extent>> {
        let Some(begin) = document.lines().position(|line| line == self.begin.as_bytes()) else {
            return Ok(None);
        };
        match document.lines().skip(begin).position(|line| line == self.end.as_bytes()) {
            Some(length) => Ok(Some(Extent { begin, end: begin + length })),
            None => {
                let what = format!("line {} is {:?}, but the end marker is missing", begin + 1, self.begin);
                let hint = format!("add the line {:?} after the last line of the block", self.end);
                Err(Error::new(ErrorKind::Invalid, what).hint(hint))
            }
        }
    }

    /// The current content of the block.
    pub(crate) fn find(&self, document: &Document<'_>) -> Result<Option<Lines>> {
        let Some(Extent { begin, end }) = self.extent(document)? else { return Ok(None) };
        let mut text = String::new();
        for line in document.lines().take(end).skip(begin + 1) {
            text.push_str(&String::from_utf8_lossy(line));
            text.push('\n');
        }
        Ok(Some(text.into()))
    }

    /// Sets the content; a new block is added at `place`.
    pub(crate) fn put<'d>(
        &self,
        document: &mut Document<'d>,
        text: &'d Lines,
        place: Insertion<'_>,
    ) -> Result<()> {
        let (start, end) = match self.extent(document)? {
            Some(extent) => (extent.begin, extent.end + 1),
            None => {
                let at = place.index(document);
                (at, at)
            }
        };
        let marker = |text: &str| Cow::Owned(text.as_bytes().to_vec());
        let lines = text.iter().map(|line| Cow::Borrowed(line.as_bytes()));
        document.splice(
            start,
            end,
            [marker(&self.begin)].into_iter().chain(lines).chain([marker(&self.end)]),
        );
        Ok(())
    }

    /// Removes the block with its markers.
    pub(crate) fn remove(&self, document: &mut Document<'_>) -> Result<()> {
        if let Some(extent) = self.extent(document)? {
            document.splice(extent.begin, extent.end + 1, std::iter::empty());
        }
        Ok(())
    }
}

// Several lines of text.

/// Several lines of text. The ending of the last one does not matter.
#[derive(Clone, Debug)]
pub struct Lines(String);

impl Lines {
    /// The lines without their endings.
    pub(crate) fn iter(&self) -> std::str::Lines<'_> {
        self.0.lines()
    }
}

impl PartialEq for Lines {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Property for Lines {
    const TYPE: &'static Type = String::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        String::from_value(value, context).map(Lines)
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

impl From<String> for Lines {
    fn from(text: String) -> Self {
        Lines(text)
    }
}

impl From<&str> for Lines {
    fn from(text: &str) -> Self {
        Lines(text.to_owned())
    }
}

// The position of a new line.

/// A position in a file: its start, its end, or lines that match a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor(pub(crate) Spot);

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Spot {
    Begin,
    End,
    Matching(Pattern),
}

const BEGIN: &str = "BOF";
const END: &str = "EOF";

impl Property for Anchor {
    const TYPE: &'static Type = &Type::Named {
        name: "anchor",
        doc: r#"a regular expression, or "BOF" or "EOF" for the start or end of the file"#,
        example: r#""^\\[mysqld\\]""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        Ok(Anchor(match value {
            Value::Text(text) if **text == *BEGIN => Spot::Begin,
            Value::Text(text) if **text == *END => Spot::End,
            other => Spot::Matching(Pattern::from_value(other, context)?),
        }))
    }

    fn to_value(&self) -> Value {
        match &self.0 {
            Spot::Begin => Value::text(BEGIN),
            Spot::End => Value::text(END),
            Spot::Matching(pattern) => pattern.to_value(),
        }
    }
}

// The position at which a new line or block is inserted.

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
mod lines_tests {
    use super::*;

    #[test]
    fn ignores_the_last_line_ending() {
        let check = |one: &str, other: &str, same: bool| {
            assert_eq!(Lines::from(one) == Lines::from(other), same, "{one:?} {other:?}");
        };
        check("a\nb", "a\nb\n", true);
        check("a\r\nb\r\n", "a\nb", true);
        check("", "\n", false);
        check("a\n", "a\n\n", false);
    }
}

#[cfg(test)]
mod insertion_tests {
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
