//! `format` and `formatlist`.

use uphold_model::{Shape, Value};

use super::layout::Layout;
use crate::bounds::{Bounded, LONGEST_TEXT, list, too_long};
use crate::call::{Call, Fault};
use crate::function::Accepts::{Any, Text};
use crate::function::{Body, Function, Topic, example, takes};

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
