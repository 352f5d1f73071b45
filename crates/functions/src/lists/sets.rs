//! Sets: sorted lists without duplicates.

use std::collections::BTreeSet;

use uphold_model::{Shape, Value};

use crate::bounds::{MOST_ELEMENTS, list, too_many};
use crate::call::{Call, Fault};
use crate::function::Accepts::List;
use crate::function::{Body, Function, Topic, example, takes};
use crate::number::Ordered;

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "setintersection",
        topic: Topic::Lists,
        parameters: &[takes("set", List)],
        rest: Some(takes("sets", List)),
        gives: Some(Shape::List),
        doc: "Returns the elements that all sets contain, sorted.",
        examples: &[example("setintersection([\"a\", \"b\"], [\"b\", \"c\"], [\"b\", \"d\"])", "[\"b\"]")],
        body: Body::Whole(|call| fold(call, |all, set| &all & &set)),
    },
    Function {
        name: "setproduct",
        topic: Topic::Lists,
        parameters: &[takes("set", List)],
        rest: Some(takes("sets", List)),
        gives: Some(Shape::List),
        doc: "Returns all combinations of one element from each list, in the order of the lists.",
        examples: &[example(
            "setproduct([\"a\", \"b\"], [1, 2])",
            "[[\"a\", 1], [\"a\", 2], [\"b\", 1], [\"b\", 2]]",
        )],
        body: Body::Parts(setproduct),
    },
    Function {
        name: "setsubtract",
        topic: Topic::Lists,
        parameters: &[takes("set", List), takes("other", List)],
        rest: None,
        gives: Some(Shape::List),
        doc: "Returns the elements of the first set that are not in the second, sorted.",
        examples: &[example("setsubtract([\"a\", \"b\", \"c\"], [\"a\", \"c\"])", "[\"b\"]")],
        body: Body::Whole(|call| fold(call, |all, set| &all - &set)),
    },
    Function {
        name: "setunion",
        topic: Topic::Lists,
        parameters: &[takes("set", List)],
        rest: Some(takes("sets", List)),
        gives: Some(Shape::List),
        doc: "Returns the elements of all sets, sorted.",
        examples: &[example("setunion([\"b\", \"a\"], [\"c\", \"b\"])", "[\"a\", \"b\", \"c\"]")],
        body: Body::Whole(|call| {
            fold(call, |mut all, mut set| {
                all.append(&mut set);
                all
            })
        }),
    },
];

type Set<'a> = BTreeSet<Ordered<'a>>;

/// The values as a set: sorted, without duplicates.
pub(crate) fn set_of(items: &[Value]) -> Value {
    of(&items.iter().map(Ordered).collect())
}

fn of(set: &Set<'_>) -> Value {
    Value::list(set.iter().map(|item| item.0.clone()))
}

fn fold(call: &Call<'_>, join: for<'a> fn(Set<'a>, Set<'a>) -> Set<'a>) -> Result<Value, Fault> {
    let mut all: Set<'_> = call.list(0)?.iter().map(Ordered).collect();
    for index in 1..call.arguments.len() {
        all = join(all, call.list(index)?.iter().map(Ordered).collect());
    }
    Ok(of(&all))
}

fn setproduct(call: &Call<'_>) -> Result<Value, Fault> {
    let sets = (0..call.arguments.len()).map(|index| call.list(index)).collect::<Result<Vec<_>, _>>()?;
    let count = sets.iter().try_fold(1_usize, |count, set| count.checked_mul(set.len()));
    // The elements of all combinations count, because all of them are stored.
    let count = match count {
        Some(count) if count.saturating_mul(sets.len()) <= MOST_ELEMENTS => count,
        _ if sets.iter().any(|set| set.is_empty()) => 0,
        _ => return Err(too_many()),
    };
    list((0..count).map(|number| Ok(combination(&sets, number))))
}

/// The combination with this number: the last list changes fastest.
fn combination(sets: &[&[Value]], mut number: usize) -> Value {
    let mut picked = Vec::with_capacity(sets.len());
    for set in sets.iter().rev() {
        picked.push(set[number % set.len()].clone());
        number /= set.len();
    }
    picked.reverse();
    Value::List(picked.into())
}
