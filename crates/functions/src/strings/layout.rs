//! A parsed format: literal text and verbs.

use uphold_model::Value;

use super::verb::Verb;
use crate::bounds::Bounded;
use crate::call::Fault;

/// The maximum width and precision; more is probably a typing error.
const WIDEST: usize = 4096;

/// The highest index of a value in a verb.
const MOST_VALUES: usize = 100_000;

/// The pieces of a format.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    pieces: Vec<Piece<'a>>,
    /// The number of values that the verbs need.
    needed: usize,
}

#[derive(Debug)]
enum Piece<'a> {
    Literal(&'a str),
    /// A verb, and the index of its value.
    Verb(Verb, usize),
}

impl<'a> Layout<'a> {
    pub(super) fn parse(format: &'a str) -> Result<Self, Fault> {
        let mut layout = Layout { pieces: Vec::new(), needed: 0 };
        let mut rest = format;
        let mut next = 0;
        while let Some(at) = rest.find('%') {
            layout.pieces.push(Piece::Literal(&rest[..at]));
            rest = layout.verb(&rest[at..], &mut next)?;
        }
        layout.pieces.push(Piece::Literal(rest));
        Ok(layout)
    }

    /// Parses the verb that `text` starts with, and returns the rest.
    fn verb(&mut self, text: &'a str, next: &mut usize) -> Result<&'a str, Fault> {
        if let Some(rest) = text.strip_prefix("%%") {
            self.pieces.push(Piece::Literal("%"));
            return Ok(rest);
        }
        let mut reader = Reader { rest: &text[1..] };
        let mut verb = Verb::default();
        while let Some(flag) = reader.rest.chars().next().filter(|c| "-0+# ".contains(*c)) {
            verb.set_flag(flag);
            reader.rest = &reader.rest[1..];
        }
        let mut index = reader.index()?;
        verb.width = reader.number()?.unwrap_or(0);
        if let Some(rest) = reader.rest.strip_prefix('.') {
            reader.rest = rest;
            verb.precision = Some(reader.number()?.unwrap_or(0));
        }
        index = reader.index()?.or(index);
        let mut characters = reader.rest.chars();
        let letter = characters.next().filter(|letter| "vsqdfeEgGxXobt".contains(*letter));
        let end = text.len() - characters.as_str().len();
        verb.letter = letter.ok_or_else(|| {
            Fault::at(0, format!("{:?} is not a verb", &text[..end]))
                .with_fix("write `%%` for a percent sign")
        })?;
        let value = index.map_or(*next, |index| index - 1);
        *next = value + 1;
        self.needed = self.needed.max(*next);
        self.pieces.push(Piece::Verb(verb, value));
        Ok(characters.as_str())
    }

    /// Checks that the verbs use all values.
    pub(super) fn check_count(&self, count: usize) -> Result<(), Fault> {
        if self.needed == count {
            Ok(())
        } else {
            Err(Fault::at(0, format!("the format needs {} values, not {count}", self.needed)))
        }
    }

    pub(super) fn write(&self, values: &[&Value], text: &mut Bounded) -> Result<(), Fault> {
        for piece in &self.pieces {
            match piece {
                Piece::Literal(literal) => text.push(literal)?,
                Piece::Verb(verb, index) => {
                    let missing = || Fault::at(0, format!("there is no value {}", index + 1));
                    let written = verb.write(values.get(*index).copied().ok_or_else(missing)?);
                    text.push(&written.map_err(|message| Fault::at(index + 1, message))?)?;
                }
            }
        }
        Ok(())
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn number(&mut self) -> Result<Option<usize>, Fault> {
        self.digits(WIDEST)
    }

    /// `[n]`: the index of a value, starting at 1.
    fn index(&mut self) -> Result<Option<usize>, Fault> {
        let Some(rest) = self.rest.strip_prefix('[') else { return Ok(None) };
        self.rest = rest;
        let index = self.digits(MOST_VALUES)?.filter(|index| *index > 0);
        match (index, self.rest.strip_prefix(']')) {
            (Some(index), Some(rest)) => {
                self.rest = rest;
                Ok(Some(index))
            }
            _ => Err(Fault::at(0, "a number from 1 and `]` must follow `[` in a verb")),
        }
    }

    fn digits(&mut self, most: usize) -> Result<Option<usize>, Fault> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        if digits.is_empty() {
            return Ok(None);
        }
        self.rest = rest;
        let number = digits.parse().ok().filter(|number| *number <= most);
        number.map(Some).ok_or_else(|| Fault::at(0, format!("{digits} in a verb is more than {most}")))
    }
}
