//! `format` and `formatlist`.

use uphold_model::{Shape, Value};

use crate::bounds::{Bounded, LONGEST_TEXT, list, too_long};
use crate::call::{Call, Fault};
use crate::function::Accepts::{Any, Text};
use crate::function::{Body, Function, Topic, example, takes};

use super::verb::Verb;

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "format",
        topic: Topic::Strings,
        parameters: &[takes("format", Text)],
        rest: Some(takes("values", Any)),
        gives: Some(Shape::Text),
        doc: "Formats values with verbs: `%s` a string, `%q` a quoted string, `%d` a whole number, `%f` `%e` \
              `%g` a number, `%x` `%X` `%o` `%b` a whole number in base 16, 8 or 2 (`%x` also a string, byte \
              by byte), `%t` a bool, `%v` any value, `%#v` any value as JSON, `%%` a percent sign. Between \
              `%` and the letter there can be `[n]` for the n-th value, flags (`-` left, `0` zeros, `+` sign, \
              space, `#` a prefix such as `0x`), a width and a precision. `%g` and `%v` write numbers from \
              1000000 with an exponent, as in Go; `%d` and `%s` write all digits.",
        examples: &[
            example("format(\"Hello, %s!\", \"Ander\")", "\"Hello, Ander!\""),
            example("format(\"%-5s|%05d|%.2f\", \"a\", 42, 3.14159)", "\"a    |00042|3.14\""),
            example("format(\"%[2]s %[1]s\", \"a\", \"b\")", "\"b a\""),
        ],
        body: Body::Whole(format),
    },
    Function {
        name: "formatlist",
        topic: Topic::Strings,
        parameters: &[takes("format", Text)],
        rest: Some(takes("values", Any)),
        gives: Some(Shape::List),
        doc: "Formats the elements of lists, and returns one string for each position. All lists must have \
              the same length; all other values are repeated.",
        examples: &[example(
            "formatlist(\"%s has %d\", [\"ann\", \"ben\"], [1, 2])",
            "[\"ann has 1\", \"ben has 2\"]",
        )],
        body: Body::Whole(formatlist),
    },
];

fn format(call: &Call<'_>) -> Result<Value, Fault> {
    let values: Vec<&Value> = call.arguments[1..].iter().collect();
    let mut text = Bounded::default();
    let layout = Layout::parse(call.text(0)?)?;
    layout.check_count(values.len())?;
    layout.write(&values, &mut text)?;
    Ok(text.into_value())
}

fn formatlist(call: &Call<'_>) -> Result<Value, Fault> {
    let values = &call.arguments[1..];
    let layout = Layout::parse(call.text(0)?)?;
    layout.check_count(values.len())?;
    let rows = rows(values)?;
    let mut total = 0;
    list((0..rows).map(|row| {
        let row: Vec<&Value> = values.iter().map(|value| in_row(value, row)).collect();
        let mut text = Bounded::default();
        layout.write(&row, &mut text)?;
        // The total length is limited too.
        total += text.as_str().len();
        if total > LONGEST_TEXT { Err(too_long()) } else { Ok(text.into_value()) }
    }))
}

/// The element of a list, or the value itself.
fn in_row(value: &Value, row: usize) -> &Value {
    match value {
        Value::List(items) => &items[row],
        other => other,
    }
}

/// The number of results: one if no value is a list.
fn rows(values: &[Value]) -> Result<usize, Fault> {
    let mut rows = None;
    for (index, value) in values.iter().enumerate() {
        let Value::List(items) = value else { continue };
        let expected = *rows.get_or_insert(items.len());
        if items.len() != expected {
            let message = format!("this list has {} elements, but one before it has {expected}", items.len());
            return Err(Fault::at(index + 1, message));
        }
    }
    Ok(rows.unwrap_or(1))
}

// A parsed format: literal text and verbs.

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
