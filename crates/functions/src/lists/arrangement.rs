//! Creating, joining and sorting lists.

use uphold_model::{Shape, Value};

use crate::arguments::element;
use crate::bounds::{DEEPEST, MOST_ELEMENTS, list, too_deep, too_many};
use crate::call::{Call, Fault};
use crate::function::Accepts::{Integer, List, Number as Numeric};
use crate::function::{Body, Function, Topic, example, may_take, takes};
use crate::number::Number;
use crate::number::compare;

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "chunklist",
        topic: Topic::Lists,
        parameters: &[takes("list", List), takes("size", Integer)],
        rest: None,
        gives: Some(Shape::List),
        doc: "Splits a list into lists of a given size; the last may be shorter. A size of 0 returns a single \
              list of all elements.",
        examples: &[example("chunklist([\"a\", \"b\", \"c\"], 2)", "[[\"a\", \"b\"], [\"c\"]]")],
        body: Body::Parts(chunklist),
    },
    Function {
        name: "concat",
        topic: Topic::Lists,
        parameters: &[takes("list", List)],
        rest: Some(takes("lists", List)),
        gives: Some(Shape::List),
        doc: "Joins several lists into one.",
        examples: &[example("concat([\"a\", \"\"], [\"b\", 1])", "[\"a\", \"\", \"b\", 1]")],
        body: Body::Parts(concat),
    },
    Function {
        name: "flatten",
        topic: Topic::Lists,
        parameters: &[takes("list", List)],
        rest: None,
        gives: Some(Shape::List),
        doc: "Replaces every element that is a list by its elements, at any depth. Maps stay as they are. If \
              one of the lists is secret, so is the result.",
        examples: &[example("flatten([[\"a\", [\"b\"]], [], \"c\"])", "[\"a\", \"b\", \"c\"]")],
        body: Body::Parts(flatten),
    },
    Function {
        name: "range",
        topic: Topic::Lists,
        parameters: &[
            takes("start_or_limit", Numeric),
            may_take("limit", Numeric),
            may_take("step", Numeric),
        ],
        rest: None,
        gives: Some(Shape::List),
        doc: "Returns the numbers from a start (0 if there is only one argument) up to, but excluding, a \
              limit. The default step is 1 or -1, towards the limit.",
        examples: &[
            example("range(3)", "[0, 1, 2]"),
            example("range(1, 8, 2)", "[1, 3, 5, 7]"),
            example("range(4, 1)", "[4, 3, 2]"),
        ],
        body: Body::Whole(range),
    },
    Function {
        name: "reverse",
        topic: Topic::Lists,
        parameters: &[takes("list", List)],
        rest: None,
        gives: Some(Shape::List),
        doc: "Reverses the order of a list. Use `strrev` to reverse a string.",
        examples: &[example("reverse([1, 2, 3])", "[3, 2, 1]")],
        body: Body::Parts(|call| Ok(Value::list(call.list(0)?.iter().rev().cloned()))),
    },
    Function {
        name: "sort",
        topic: Topic::Lists,
        parameters: &[takes("list", List)],
        rest: None,
        gives: Some(Shape::List),
        doc: "Sorts a list of strings by their characters, or a list of numbers by size.",
        examples: &[
            example("sort([\"e\", \"d\", \"a\", \"x\"])", "[\"a\", \"d\", \"e\", \"x\"]"),
            example("sort([10, 9.5, 1])", "[1, 9.5, 10]"),
        ],
        body: Body::Whole(sort),
    },
];

fn chunklist(call: &Call<'_>) -> Result<Value, Fault> {
    let (items, size) = (call.list(0)?, call.count(1)?);
    let size = if size == 0 { items.len().max(1) } else { size };
    Ok(Value::list(items.chunks(size).map(|chunk| Value::List(chunk.into()))))
}

fn concat(call: &Call<'_>) -> Result<Value, Fault> {
    let mut joined = Vec::new();
    for index in 0..call.arguments.len() {
        let items = call.list(index)?;
        if joined.len() + items.len() > MOST_ELEMENTS {
            return Err(too_many());
        }
        joined.extend_from_slice(items);
    }
    Ok(Value::List(joined.into()))
}

fn flatten(call: &Call<'_>) -> Result<Value, Fault> {
    let mut flat = Flat::default();
    flat.add(call.list(0)?, 0)?;
    let value = match flat.unknown {
        Some(unknown) => unknown,
        None => Value::List(flat.items.into()),
    };
    // The length of the result reveals the number of elements of a secret list.
    Ok(if flat.secret { value.sensitive() } else { value })
}

#[derive(Default)]
struct Flat {
    items: Vec<Value>,
    /// The number of visited lists and elements: nested empty lists take time too.
    seen: usize,
    /// An unknown element that may turn out to be a list: then the number of elements is unknown.
    unknown: Option<Value>,
    /// Whether a nested list is secret, or may turn out to be.
    secret: bool,
}

impl Flat {
    fn add(&mut self, items: &[Value], depth: usize) -> Result<(), Fault> {
        if depth > DEEPEST {
            return Err(too_deep());
        }
        for item in items {
            self.seen += 1;
            if self.seen > MOST_ELEMENTS {
                return Err(too_many());
            }
            let secret = matches!(item, Value::Sensitive(_));
            match item.reveal() {
                Value::List(inner) => {
                    self.secret |= secret;
                    self.add(inner, depth + 1)?;
                }
                Value::Unknown(u) if u.shape.is_none_or(|shape| shape == Shape::List) => {
                    self.secret |= secret;
                    let later = Value::unknown_of(u.waits_for.clone(), Some(Shape::List));
                    self.unknown.get_or_insert(later);
                }
                _ => self.items.push(item.clone()),
            }
        }
        Ok(())
    }
}

fn range(call: &Call<'_>) -> Result<Value, Fault> {
    let (start, limit) = match call.given(1) {
        Some(_) => (call.number(0)?, call.number(1)?),
        None => (Number::Int(0), call.number(0)?),
    };
    let down = start.compare(limit).is_gt();
    let step = match call.given(2) {
        Some(_) => call.number(2)?,
        None => Number::Int(if down { -1 } else { 1 }),
    };
    let direction = step.compare(Number::Int(0));
    if direction.is_eq() || (direction.is_lt() != down && !start.compare(limit).is_eq()) {
        return Err(Fault::at(2, "the step leads away from the limit"));
    }
    let mut next = Some(start);
    list(std::iter::from_fn(|| {
        let number = next.take().filter(|number| number.compare(limit) == direction.reverse())?;
        Some(after(number, step).and_then(|following| {
            next = following;
            number.value()
        }))
    }))
}

/// The next number; none if it is out of range, so that the limit was passed.
fn after(number: Number, step: Number) -> Result<Option<Number>, Fault> {
    Ok(match (number, step) {
        (Number::Int(a), Number::Int(b)) => a.checked_add(b).map(Number::Int),
        (a, b) => {
            let next = Number::Float(a.float() + b.float());
            // A step that is lost in rounding would never reach the limit.
            if next.compare(a).is_eq() {
                return Err(Fault::at(2, "the step is too small"));
            }
            Some(next).filter(|next| next.float().is_finite())
        }
    })
}

fn sort(call: &Call<'_>) -> Result<Value, Fault> {
    let items = call.list(0)?;
    let numbers = items.first().is_some_and(|first| Number::of(first).is_some());
    for (at, item) in items.iter().enumerate() {
        match item {
            Value::Int(_) | Value::Float(_) if numbers => {}
            Value::Text(_) if !numbers => {}
            other if numbers => return Err(element(0, at, "a number as the first", other)),
            other => return Err(element(0, at, "a string", other)),
        }
    }
    let mut sorted = items.to_vec();
    sorted.sort_by(compare);
    Ok(Value::List(sorted.into()))
}
