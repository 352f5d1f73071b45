//! Splitting and joining strings.

use uphold_model::{Shape, Value};

use crate::bounds::{Bounded, list};
use crate::call::{Call, Fault};
use crate::function::Accepts::{List, Writable};
use crate::function::{Body, Function, Topic, example, takes};
use crate::patterns;

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "join",
        topic: Topic::Strings,
        parameters: &[takes("separator", Writable), takes("list", List)],
        rest: Some(takes("lists", List)),
        gives: Some(Shape::Text),
        doc: "Joins the elements of all lists into one string, with a separator between them.",
        examples: &[
            example("join(\"-\", [\"foo\", \"bar\", \"baz\"])", "\"foo-bar-baz\""),
            example("join(\", \", [1, true])", "\"1, true\""),
        ],
        body: Body::Whole(join),
    },
    Function {
        name: "replace",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable), takes("search", Writable), takes("replacement", Writable)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Replaces all occurrences of a substring. A substring between slashes is a regular expression; \
              the replacement can then refer to groups as `$1` or `$name`.",
        examples: &[
            example("replace(\"1 + 2 + 3\", \"+\", \"-\")", "\"1 - 2 - 3\""),
            example("replace(\"hello world\", \"/w.*d/\", \"everybody\")", "\"hello everybody\""),
            example("replace(\"a=1\", \"/(.)=(.)/\", \"$2=$1\")", "\"1=a\""),
        ],
        body: Body::Whole(replace),
    },
    Function {
        name: "split",
        topic: Topic::Strings,
        parameters: &[takes("separator", Writable), takes("text", Writable)],
        rest: None,
        gives: Some(Shape::List),
        doc: "Splits a string at every separator. An empty separator splits between all characters.",
        examples: &[
            example("split(\",\", \"foo,bar,baz\")", "[\"foo\", \"bar\", \"baz\"]"),
            example("split(\",\", \"\")", "[\"\"]"),
            example("split(\"\", \"abc\")", "[\"a\", \"b\", \"c\"]"),
        ],
        body: Body::Whole(split),
    },
];

fn join(call: &Call<'_>) -> Result<Value, Fault> {
    let separator = call.written(0)?;
    let mut joined = Bounded::default();
    let mut first = true;
    for index in 1..call.arguments.len() {
        for text in call.texts(index)? {
            if !std::mem::take(&mut first) {
                joined.push(&separator)?;
            }
            joined.push(&text)?;
        }
    }
    Ok(joined.into_value())
}

fn replace(call: &Call<'_>) -> Result<Value, Fault> {
    let (text, search, replacement) = (call.written(0)?, call.written(1)?, call.written(2)?);
    if let Some(pattern) = search.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        return patterns::replace(1, pattern, &text, &replacement);
    }
    let mut replaced = Bounded::default();
    let mut end = 0;
    for (at, found) in text.match_indices(&*search) {
        replaced.push(&text[end..at])?;
        replaced.push(&replacement)?;
        end = at + found.len();
    }
    replaced.push(&text[end..])?;
    Ok(replaced.into_value())
}

fn split(call: &Call<'_>) -> Result<Value, Fault> {
    let (separator, text) = (call.written(0)?, call.written(1)?);
    if separator.is_empty() {
        list(text.chars().map(|character| Ok(Value::text(character.to_string()))))
    } else {
        list(text.split(&*separator).map(|piece| Ok(Value::text(piece))))
    }
}
