//! Functions on maps.

use std::collections::BTreeMap;
use std::sync::Arc;

use uphold_model::{Map, Name, Shape, Value};

use super::bounds::{MOST_ELEMENTS, too_many};
use crate::arguments::{element, written, wrong};
use crate::call::{Call, Fault};
use crate::function::Accepts::{Any, List, Map as Mapping, Writable};
use crate::function::{Body, Function, Topic, example, may_take, takes};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "keys",
        topic: Topic::Maps,
        parameters: &[takes("map", Mapping)],
        rest: None,
        gives: Some(Shape::List),
        doc: "Returns the keys of a map, sorted.",
        examples: &[example("keys({ b = 1, a = 2 })", "[\"a\", \"b\"]")],
        body: Body::Parts(|call| Ok(Value::list(call.map(0)?.keys().map(|key| Value::Text(key.clone()))))),
    },
    Function {
        name: "lookup",
        topic: Topic::Maps,
        parameters: &[takes("map", Mapping), takes("key", Writable), may_take("default", Any)],
        rest: None,
        gives: None,
        doc: "Returns the value of a key, or the default if the map has no such key. Without a default, a \
              missing key is an error.",
        examples: &[
            example("lookup({ a = \"ay\", b = \"bee\" }, \"a\", \"what?\")", "\"ay\""),
            example("lookup({ a = \"ay\" }, \"c\", \"what?\")", "\"what?\""),
        ],
        body: Body::Parts(lookup),
    },
    Function {
        name: "merge",
        topic: Topic::Maps,
        parameters: &[],
        rest: Some(takes("maps", Any)),
        gives: Some(Shape::Map),
        doc: "Merges several maps into one. If several have a key, the last wins; nested maps are replaced, \
              not merged. Null counts as an empty map.",
        examples: &[example("merge({ a = 1, b = 2 }, { b = 3, c = 4 })", "{ a = 1, b = 3, c = 4 }")],
        body: Body::Parts(merge),
    },
    Function {
        name: "transpose",
        topic: Topic::Maps,
        parameters: &[takes("map", Mapping)],
        rest: None,
        gives: Some(Shape::Map),
        doc: "Swaps keys and values of a map of lists: every element becomes a key, with a list of the keys \
              that contained it.",
        examples: &[example(
            "transpose({ a = [\"1\", \"2\"], b = [\"2\"] })",
            "{ \"1\" = [\"a\"], \"2\" = [\"a\", \"b\"] }",
        )],
        body: Body::Whole(transpose),
    },
    Function {
        name: "values",
        topic: Topic::Maps,
        parameters: &[takes("map", Mapping)],
        rest: None,
        gives: Some(Shape::List),
        doc: "Returns the values of a map, in the order of the sorted keys.",
        examples: &[example("values({ b = 1, a = 2 })", "[2, 1]")],
        body: Body::Parts(|call| Ok(Value::list(call.map(0)?.values().cloned()))),
    },
    Function {
        name: "zipmap",
        topic: Topic::Maps,
        parameters: &[takes("keys", List), takes("values", List)],
        rest: None,
        gives: Some(Shape::Map),
        doc: "Creates a map from a list of keys and a list of values of the same length. If a key occurs \
              twice, the last value wins.",
        examples: &[example("zipmap([\"a\", \"b\"], [1, 2])", "{ a = 1, b = 2 }")],
        body: Body::Parts(zipmap),
    },
];

fn lookup(call: &Call<'_>) -> Result<Value, Fault> {
    let key = call.written(1)?;
    match (call.map(0)?.get(&*key), call.given(2)) {
        (Some(value), _) => Ok(value.clone()),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => Err(no_key(call, &key)?),
    }
}

fn no_key(call: &Call<'_>, key: &str) -> Result<Fault, Fault> {
    let fault = Fault::at(1, format!("the map has no key {key:?}"));
    Ok(match uphold_model::closest(key, call.map(0)?.keys().map(|known| &**known)) {
        Some(near) => fault.with_fix(format!("did you mean {near:?}?")),
        None => fault.with_fix("pass a default"),
    })
}

fn merge(call: &Call<'_>) -> Result<Value, Fault> {
    let mut merged = Arc::new(Map::new());
    for (index, value) in call.arguments.iter().enumerate() {
        match value {
            Value::Null => {}
            Value::Map(map) if merged.is_empty() => merged = Arc::clone(map),
            // Inserting a few entries is cheaper than a pass over all.
            Value::Map(map) if map.len() < merged.len() / 16 => {
                let entries = map.iter().map(|(key, item)| (key.clone(), item.clone()));
                Arc::make_mut(&mut merged).extend(entries);
            }
            Value::Map(map) => Arc::make_mut(&mut merged).append(&mut Map::clone(map)),
            other => return Err(wrong(index, "a map", other)),
        }
    }
    Ok(Value::Map(merged))
}

fn transpose(call: &Call<'_>) -> Result<Value, Fault> {
    let mut turned: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut count = 0;
    for (key, value) in call.map(0)? {
        let Value::List(items) = value else { return Err(wrong(0, "a map of lists", value)) };
        count += items.len();
        if count > MOST_ELEMENTS {
            return Err(too_many());
        }
        for (at, item) in items.iter().enumerate() {
            let text = written(item).ok_or_else(|| element(0, at, "a string", item))?;
            turned.entry(text.into_owned()).or_default().push(Value::Text(key.clone()));
        }
    }
    Ok(Value::map(turned.into_iter().map(|(key, list)| (key, Value::List(list.into())))))
}

fn zipmap(call: &Call<'_>) -> Result<Value, Fault> {
    let (keys, values) = (call.list(0)?, call.list(1)?);
    if keys.len() != values.len() {
        return Err(Fault::at(1, format!("there are {} values for {} keys", values.len(), keys.len())));
    }
    let mut zipped = Vec::with_capacity(keys.len());
    let mut secret = false;
    for (at, (key, value)) in keys.iter().zip(values).enumerate() {
        secret |= matches!(key, Value::Sensitive(_));
        match key.reveal() {
            Value::Unknown(key) => return Ok(Value::unknown_of(key.waits_for.clone(), Some(Shape::Map))),
            key => {
                let key = written(key).ok_or_else(|| element(0, at, "a string", key))?;
                zipped.push((Name::from(key), value.clone()));
            }
        }
    }
    // Keys cannot be secret by themselves.
    let zipped = Value::map(zipped);
    Ok(if secret { zipped.sensitive() } else { zipped })
}
