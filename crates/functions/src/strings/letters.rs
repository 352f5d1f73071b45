//! Letters and lines of strings.

use unicode_segmentation::UnicodeSegmentation;
use uphold_model::{Shape, Value};

use crate::bounds::Bounded;
use crate::call::{Call, Fault};
use crate::function::Accepts::{Integer, Writable};
use crate::function::{Body, Function, Topic, example, takes};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "indent",
        topic: Topic::Strings,
        parameters: &[takes("spaces", Integer), takes("text", Writable)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Indents every line but the first, so that a string fits where it is inserted.",
        examples: &[example("indent(2, \"a:\\n- b\\n- c\")", "\"a:\\n  - b\\n  - c\"")],
        body: Body::Whole(indent),
    },
    Function {
        name: "lower",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Converts all letters to lower case.",
        examples: &[example("lower(\"HELLO\")", "\"hello\""), example("lower(\"АЛЛО!\")", "\"алло!\"")],
        body: Body::Whole(|call| Ok(Value::text(call.written(0)?.to_lowercase()))),
    },
    Function {
        name: "strrev",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Reverses the characters of a string; combining marks stay with their letters. Use `reverse` to \
              reverse a list.",
        examples: &[example("strrev(\"hello\")", "\"olleh\"")],
        body: Body::Whole(|call| Ok(Value::text(call.written(0)?.graphemes(true).rev().collect::<String>()))),
    },
    Function {
        name: "substr",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable), takes("offset", Integer), takes("length", Integer)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns a part of a string by offset and length, in characters. A negative offset counts from \
              the end; a negative length means the rest of the string.",
        examples: &[
            example("substr(\"hello world\", 1, 4)", "\"ello\""),
            example("substr(\"hello world\", -5, -1)", "\"world\""),
            example("substr(\"🤔🤷\", 0, 1)", "\"🤔\""),
        ],
        body: Body::Whole(substr),
    },
    Function {
        name: "title",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Converts the first letter of every word to upper case.",
        examples: &[example("title(\"hello world-wide\")", "\"Hello World-Wide\"")],
        body: Body::Whole(|call| Ok(Value::text(title(&call.written(0)?)))),
    },
    Function {
        name: "upper",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Converts all letters to upper case.",
        examples: &[example("upper(\"hello\")", "\"HELLO\"")],
        body: Body::Whole(|call| Ok(Value::text(call.written(0)?.to_uppercase()))),
    },
];

fn indent(call: &Call<'_>) -> Result<Value, Fault> {
    let (spaces, text) = (call.count(0)?, call.written(1)?);
    let mut indented = Bounded::default();
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            indented.push("\n")?;
            indented.repeat(" ", spaces)?;
        }
        indented.push(line)?;
    }
    Ok(indented.into_value())
}

fn substr(call: &Call<'_>) -> Result<Value, Fault> {
    let (text, offset, length) = (call.written(0)?, call.int(1)?, call.int(2)?);
    let size = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let start = match offset {
        0.. => size(offset),
        _ => text.graphemes(true).count().saturating_sub(size(offset.saturating_neg())),
    };
    let length = if length < 0 { usize::MAX } else { size(length) };
    Ok(Value::text(text.graphemes(true).skip(start).take(length).collect::<String>()))
}

fn title(text: &str) -> String {
    let mut title = String::with_capacity(text.len());
    let mut within_word = false;
    for character in text.chars() {
        if within_word {
            title.push(character);
        } else {
            title.extend(character.to_uppercase());
        }
        within_word = !separates(character);
    }
    title
}

/// Outside of ASCII, only white space separates words.
fn separates(character: char) -> bool {
    if character.is_ascii() {
        !character.is_ascii_alphanumeric() && character != '_'
    } else {
        character.is_whitespace()
    }
}
