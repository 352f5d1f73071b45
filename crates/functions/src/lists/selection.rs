//! Selecting elements of a list.

use std::collections::BTreeSet;

use uphold_model::{Shape, Value};

use crate::call::{Call, Fault};
use crate::function::Accepts::{Integer, List};
use crate::function::{Body, Function, Topic, example, takes};
use crate::number::Ordered;

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "compact",
        topic: Topic::Lists,
        parameters: &[takes("list", List)],
        rest: None,
        gives: Some(Shape::List),
        doc: "Removes all elements that are null or an empty string.",
        examples: &[example("compact([\"a\", \"\", null, \"c\"])", "[\"a\", \"c\"]")],
        body: Body::Whole(compact),
    },
    Function {
        name: "distinct",
        topic: Topic::Lists,
        parameters: &[takes("list", List)],
        rest: None,
        gives: Some(Shape::List),
        doc: "Removes duplicate elements, and keeps the order.",
        examples: &[example("distinct([\"a\", \"b\", \"a\", \"c\"])", "[\"a\", \"b\", \"c\"]")],
        body: Body::Whole(distinct),
    },
    Function {
        name: "matchkeys",
        topic: Topic::Lists,
        parameters: &[takes("values", List), takes("keys", List), takes("search", List)],
        rest: None,
        gives: Some(Shape::List),
        doc: "Returns the values whose key, at the same position of another list, is one of the given keys.",
        examples: &[example(
            "matchkeys([\"i-1\", \"i-2\", \"i-3\"], [\"w\", \"e\", \"w\"], [\"w\"])",
            "[\"i-1\", \"i-3\"]",
        )],
        body: Body::Whole(matchkeys),
    },
    Function {
        name: "slice",
        topic: Topic::Lists,
        parameters: &[takes("list", List), takes("start", Integer), takes("end", Integer)],
        rest: None,
        gives: Some(Shape::List),
        doc: "Returns the elements from a start index, which starts at 0, up to, but excluding, an end index.",
        examples: &[example("slice([\"a\", \"b\", \"c\", \"d\"], 1, 3)", "[\"b\", \"c\"]")],
        body: Body::Parts(slice),
    },
];

fn compact(call: &Call<'_>) -> Result<Value, Fault> {
    let is_empty = |value: &Value| match value {
        Value::Text(text) => text.is_empty(),
        Value::Null => true,
        _ => false,
    };
    Ok(Value::list(call.list(0)?.iter().filter(|item| !is_empty(item)).cloned()))
}

fn distinct(call: &Call<'_>) -> Result<Value, Fault> {
    let items = call.list(0)?;
    let mut firsts: Vec<usize> = (0..items.len()).collect();
    // Stable: of equal elements, the first stays first.
    firsts.sort_by_key(|at| Ordered(&items[*at]));
    firsts.dedup_by_key(|at| Ordered(&items[*at]));
    firsts.sort_unstable();
    Ok(Value::list(firsts.into_iter().map(|at| items[at].clone())))
}

fn matchkeys(call: &Call<'_>) -> Result<Value, Fault> {
    let (values, keys) = (call.list(0)?, call.list(1)?);
    if values.len() != keys.len() {
        return Err(Fault::at(1, format!("there are {} keys for {} values", keys.len(), values.len())));
    }
    let search: BTreeSet<_> = call.list(2)?.iter().map(Ordered).collect();
    let matching = values.iter().zip(keys).filter(|(_, key)| search.contains(&Ordered(key)));
    Ok(Value::list(matching.map(|(value, _)| value.clone())))
}

fn slice(call: &Call<'_>) -> Result<Value, Fault> {
    let (items, start, end) = (call.list(0)?, call.count(1)?, call.count(2)?);
    if end > items.len() {
        return Err(Fault::at(2, format!("{end} is beyond the {} elements of the list", items.len())));
    }
    match items.get(start..end) {
        Some(part) => Ok(Value::List(part.into())),
        None => Err(Fault::at(1, format!("the start, {start}, is after the end, {end}"))),
    }
}
