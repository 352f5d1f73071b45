//! Selecting one value.

use unicode_segmentation::UnicodeSegmentation;
use uphold_model::{Shape, Value};

use crate::arguments::{element as wrong_element, wrong};
use crate::call::{Call, Fault};
use crate::function::Accepts::{Any, Integer, List};
use crate::function::{Body, Function, Topic, example, takes};
use crate::number;
use crate::number::Ordered;

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "alltrue",
        topic: Topic::Lists,
        parameters: &[takes("list", List)],
        rest: None,
        gives: Some(Shape::Bool),
        doc: "Returns whether all elements of a list are true. An empty list gives true; null counts as \
              false.",
        examples: &[example("alltrue([true, false])", "false"), example("alltrue([])", "true")],
        body: Body::Deciding(|call| bools(call, false)),
    },
    Function {
        name: "anytrue",
        topic: Topic::Lists,
        parameters: &[takes("list", List)],
        rest: None,
        gives: Some(Shape::Bool),
        doc: "Returns whether any element of a list is true. An empty list gives false; null counts as false.",
        examples: &[example("anytrue([true, false])", "true"), example("anytrue([])", "false")],
        body: Body::Deciding(|call| bools(call, true)),
    },
    Function {
        name: "coalesce",
        topic: Topic::Lists,
        parameters: &[takes("value", Any)],
        rest: Some(takes("values", Any)),
        gives: None,
        doc: "Returns the first argument that is neither null nor an empty string. It is an error if there is \
              none.",
        examples: &[example("coalesce(null, \"\", \"b\", \"c\")", "\"b\"")],
        body: Body::First(coalesce),
    },
    Function {
        name: "coalescelist",
        topic: Topic::Lists,
        parameters: &[takes("list", Any)],
        rest: Some(takes("lists", Any)),
        gives: Some(Shape::List),
        doc: "Returns the first list that is not empty. It is an error if there is none.",
        examples: &[example("coalescelist([], [\"c\", \"d\"])", "[\"c\", \"d\"]")],
        body: Body::First(coalescelist),
    },
    Function {
        name: "contains",
        topic: Topic::Lists,
        parameters: &[takes("list", List), takes("value", Any)],
        rest: None,
        gives: Some(Shape::Bool),
        doc: "Returns whether a list contains a value. Use `strcontains` to search a string.",
        examples: &[
            example("contains([\"a\", \"b\"], \"a\")", "true"),
            example("contains([1, 2], \"1\")", "false"),
        ],
        body: Body::Deciding(contains),
    },
    Function {
        name: "element",
        topic: Topic::Lists,
        parameters: &[takes("list", List), takes("index", Integer)],
        rest: None,
        gives: None,
        doc: "Returns an element of a list by its index, which starts at 0. Indexes beyond either end wrap \
              around. Use `list[index]` if such an index should be an error.",
        examples: &[
            example("element([\"a\", \"b\", \"c\"], 1)", "\"b\""),
            example("element([\"a\", \"b\", \"c\"], 3)", "\"a\""),
            example("element([\"a\", \"b\", \"c\"], -1)", "\"c\""),
        ],
        body: Body::Parts(element),
    },
    Function {
        name: "index",
        topic: Topic::Lists,
        parameters: &[takes("list", List), takes("value", Any)],
        rest: None,
        gives: Some(Shape::Number),
        doc: "Returns the index of the first element that equals a value, starting at 0. It is an error if \
              there is none: check with `contains` first.",
        examples: &[example("index([\"a\", \"b\", \"c\"], \"b\")", "1")],
        body: Body::Deciding(index),
    },
    Function {
        name: "length",
        topic: Topic::Lists,
        parameters: &[takes("value", Any)],
        rest: None,
        gives: Some(Shape::Number),
        doc: "Returns the number of elements of a list or a map, or of characters in a string. A letter with \
              its combining marks, or an emoji of several code points, counts as one character.",
        examples: &[
            example("length([\"a\", \"b\"])", "2"),
            example("length({ a = 1 })", "1"),
            example("length(\"👾🕹️\")", "2"),
        ],
        body: Body::Parts(length),
    },
    Function {
        name: "one",
        topic: Topic::Lists,
        parameters: &[takes("list", List)],
        rest: None,
        gives: None,
        doc: "Returns the only element of a list, or null if it is empty. More than one element is an error.",
        examples: &[example("one([\"a\"])", "\"a\""), example("one([])", "null")],
        body: Body::Parts(one),
    },
];

/// Whether an element is `decisive`, which decides the result; otherwise the result is its opposite, or unknown.
fn bools(call: &Call<'_>, decisive: bool) -> Result<Option<Value>, Fault> {
    let (mut decided, mut unknown) = (false, false);
    for (at, item) in call.list(0)?.iter().enumerate() {
        match item {
            Value::Bool(b) => decided |= *b == decisive,
            Value::Null => decided |= !decisive,
            Value::Unknown(u) if u.shape.is_none_or(|shape| shape == Shape::Bool) => unknown = true,
            other => return Err(wrong_element(0, at, "a bool", other)),
        }
    }
    let answer = Value::Bool(decided == decisive);
    Ok(if decided || !unknown { Some(answer) } else { None })
}

/// Whether two values are equal; none if an unknown part could make them equal.
fn equal(a: &Value, b: &Value) -> Option<bool> {
    match Ordered(a) == Ordered(b) {
        _ if a.is_unknown() || b.is_unknown() => None,
        equal => Some(equal),
    }
}

fn contains(call: &Call<'_>) -> Result<Option<Value>, Fault> {
    let value = call.value(1)?;
    let mut found = Some(false);
    for item in call.list(0)? {
        match equal(item, value) {
            Some(true) => return Ok(Some(Value::Bool(true))),
            Some(false) => {}
            None => found = None,
        }
    }
    Ok(found.map(Value::Bool))
}

fn coalesce(call: &Call<'_>) -> Result<Value, Fault> {
    let is_empty = |value: &Value| match value {
        Value::Text(text) => text.is_empty(),
        Value::Null => true,
        _ => false,
    };
    let first = match call.arguments.iter().find(|value| !is_empty(value)) {
        // It may turn out to be empty, and the next argument may have another type.
        Some(Value::Unknown(unknown)) => Some(Value::unknown(unknown.waits_for.clone())),
        first => first.cloned(),
    };
    first.ok_or_else(|| Fault::new("all values are null or empty").with_fix("add a fallback value"))
}

fn coalescelist(call: &Call<'_>) -> Result<Value, Fault> {
    for (index, value) in call.arguments.iter().enumerate() {
        match value {
            Value::Null => {}
            Value::List(items) if items.is_empty() => {}
            Value::List(_) => return Ok(value.clone()),
            Value::Unknown(u) if u.shape.is_none_or(|shape| shape == Shape::List) => {
                return Ok(Value::unknown_of(u.waits_for.clone(), Some(Shape::List)));
            }
            other => return Err(wrong(index, "a list", other)),
        }
    }
    Err(Fault::new("all lists are empty").with_fix("add a fallback list"))
}

fn element(call: &Call<'_>) -> Result<Value, Fault> {
    let (items, index) = (call.list(0)?, call.int(1)?);
    let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
    if count == 0 {
        return Err(Fault::at(0, "an empty list has no elements"));
    }
    let index = usize::try_from(index.rem_euclid(count)).unwrap_or(0);
    Ok(items[index].clone())
}

fn index(call: &Call<'_>) -> Result<Option<Value>, Fault> {
    let value = call.value(1)?;
    for (position, item) in call.list(0)?.iter().enumerate() {
        match equal(item, value) {
            Some(true) => return Ok(Some(number::count(position))),
            Some(false) => {}
            None => return Ok(None),
        }
    }
    Err(Fault::at(1, "the list has no such element"))
}

fn length(call: &Call<'_>) -> Result<Value, Fault> {
    match call.value(0)? {
        Value::List(items) => Ok(number::count(items.len())),
        Value::Map(map) => Ok(number::count(map.len())),
        Value::Text(text) => Ok(number::count(text.graphemes(true).count())),
        other => Err(wrong(0, "a list, a map or a string", other)),
    }
}

fn one(call: &Call<'_>) -> Result<Value, Fault> {
    match call.list(0)? {
        [] => Ok(Value::Null),
        [only] => Ok(only.clone()),
        many => Err(Fault::at(0, format!("the list has {} elements, at most one is expected", many.len()))),
    }
}
