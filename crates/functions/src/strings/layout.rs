//! A format, read once: literal text and verbs.

use uphold_model::Value;

use super::verb::Verb;
use crate::bounds::Bounded;
use crate::call::Fault;

/// The widest field and the most digits: more is a slip of the fingers.
const WIDEST: usize = 4096;

/// The highest number of a value that a verb may name.
const MOST_VALUES: usize = 100_000;

/// A format in its pieces.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    pieces: Vec<Piece<'a>>,
    /// How many values the verbs ask for.
    asked: usize,
}

#[derive(Debug)]
enum Piece<'a> {
    Literal(&'a str),
    /// A verb, and which value it writes.
    Verb(Verb, usize),
}

impl<'a> Layout<'a> {
    pub(super) fn parse(format: &'a str) -> Result<Self, Fault> {
        let mut layout = Layout { pieces: Vec::new(), asked: 0 };
        let mut rest = format;
        let mut next = 0;
        while let Some(at) = rest.find('%') {
            layout.pieces.push(Piece::Literal(&rest[..at]));
            rest = layout.verb(&rest[at..], &mut next)?;
        }
        layout.pieces.push(Piece::Literal(rest));
        Ok(layout)
    }

    /// Reads the verb that `text` starts with, and gives what follows it.
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
        self.asked = self.asked.max(*next);
        self.pieces.push(Piece::Verb(verb, value));
        Ok(characters.as_str())
    }

    /// Whether as many values were passed as the verbs ask for.
    pub(super) fn check_count(&self, count: usize) -> Result<(), Fault> {
        match self.asked == count {
            true => Ok(()),
            false => Err(Fault::at(0, format!("the format asks for {} values, not {count}", self.asked))),
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

    /// `[n]`: the number of a value, from 1.
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
