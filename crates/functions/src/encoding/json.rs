//! JSON.

use serde_json::Value as Json;
use uphold_model::{Shape, Value};

use crate::bounds::Bounded;
use crate::call::{Call, Fault};
use crate::function::Accepts::{Any, Text};
use crate::function::{Body, Function, Topic, example, takes};
use crate::number::{self, Number};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "jsondecode",
        topic: Topic::Encoding,
        parameters: &[takes("text", Text)],
        rest: None,
        gives: None,
        doc: "Parses JSON. If a key occurs twice, the last value wins. A whole number of more than 64 bits is \
              an error.",
        examples: &[
            example("jsondecode(\"{\\\"hello\\\": [1, 2.5, null]}\")", "{ hello = [1, 2.5, null] }"),
            example("jsondecode(\"true\")", "true"),
        ],
        body: Body::Whole(decode),
    },
    Function {
        name: "jsonencode",
        topic: Topic::Encoding,
        parameters: &[takes("value", Any)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Encodes a value as JSON on one line, with sorted keys. `<`, `>` and `&` are escaped, as in \
              Terraform. Bytes and resources cannot be encoded.",
        examples: &[example(
            "jsonencode({ hello = [1, \"a\", null] })",
            "\"{\\\"hello\\\":[1,\\\"a\\\",null]}\"",
        )],
        body: Body::Whole(|call| encode(call.value(0)?).map(Value::text)),
    },
];

fn decode(call: &Call<'_>) -> Result<Value, Fault> {
    // The parser itself stops at 128 levels.
    let text = call.text(0)?;
    let json =
        serde_json::from_str(text).map_err(|error| Fault::at(0, format!("this is not JSON: {error}")))?;
    match too_wide(text) {
        Some(digits) => Err(Fault::at(0, number::too_wide(digits))),
        None => value(json),
    }
}

/// The first whole number in JSON that does not fit: the parser would round it.
fn too_wide(json: &str) -> Option<&str> {
    let mut rest = json;
    while let Some(at) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        rest = &rest[at..];
        if let Some(inside) = rest.strip_prefix('"') {
            rest = after_string(inside);
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_digit() && !"-+.eE".contains(c)).unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        if number::is_whole(digits) && digits.parse::<i64>().is_err() {
            return Some(digits);
        }
        rest = after;
    }
    None
}

/// The text after the closing quote.
fn after_string(mut rest: &str) -> &str {
    while let Some(at) = rest.find(['"', '\\']) {
        let escaped = rest.as_bytes()[at] == b'\\';
        rest = rest.get(at + 1 + usize::from(escaped)..).unwrap_or_default();
        if !escaped {
            return rest;
        }
    }
    ""
}

fn value(json: Json) -> Result<Value, Fault> {
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(b) => Value::Bool(b),
        Json::Number(n) => match n.as_i64() {
            Some(i) => Value::Int(i),
            None => number::value(n.as_f64().unwrap_or(f64::INFINITY))?,
        },
        Json::String(text) => Value::text(text),
        Json::Array(items) => crate::bounds::list(items.into_iter().map(value))?,
        Json::Object(map) => {
            let entries = map.into_iter().map(|(key, item)| Ok((key.into(), value(item)?)));
            Value::Map(entries.collect::<Result<uphold_model::Map, Fault>>()?.into())
        }
    })
}

/// The JSON of a value that was inspected.
pub(crate) fn encode(value: &Value) -> Result<String, Fault> {
    let mut text = Bounded::default();
    write(value, &mut text)?;
    Ok(text.into_string())
}

/// A quoted string with the escapes of JSON.
pub(crate) fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}

/// The same, and safe in HTML and scripts, as Terraform and Go write it.
pub(crate) fn escaped(text: &str) -> String {
    const UNSAFE: [char; 5] = ['<', '>', '&', '\u{2028}', '\u{2029}'];
    let quoted = quoted(text);
    if !quoted.contains(UNSAFE) {
        return quoted;
    }
    let mut escaped = String::with_capacity(quoted.len() + 16);
    for character in quoted.chars() {
        if UNSAFE.contains(&character) {
            escaped.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            escaped.push(character);
        }
    }
    escaped
}

fn write(value: &Value, text: &mut Bounded) -> Result<(), Fault> {
    match value {
        Value::Null | Value::Bool(_) | Value::Int(_) => text.push(&value.to_string()),
        // With an exponent instead of hundreds of digits.
        Value::Float(x) => match Number::Float(*x).whole() {
            Some(i) => text.push(&i.to_string()),
            None => text.push(&format!("{x:?}")),
        },
        Value::Text(content) => text.push(&escaped(content)),
        Value::List(items) => {
            text.push("[")?;
            for (index, item) in items.iter().enumerate() {
                text.push(if index == 0 { "" } else { "," })?;
                write(item, text)?;
            }
            text.push("]")
        }
        Value::Map(map) => {
            text.push("{")?;
            for (index, (key, item)) in map.iter().enumerate() {
                text.push(if index == 0 { "" } else { "," })?;
                text.push(&escaped(key))?;
                text.push(":")?;
                write(item, text)?;
            }
            text.push("}")
        }
        other => Err(unwritable(other)),
    }
}

/// The error for a value that is not plain data.
pub(crate) fn unwritable(value: &Value) -> Fault {
    let fault = Fault::at(0, format!("{} cannot be encoded", value.type_name()));
    match value {
        Value::Bytes(_) => fault.with_fix("use `base64encode` to convert bytes to a string"),
        Value::Reference(_) => fault.with_fix("choose a property of the resource"),
        _ => fault,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_depth_have_limits() {
        let check = |text: &str, expected: Result<Value, ()>| {
            let read = serde_json::from_str(text).map_err(|_| ());
            let read = read.and_then(|json| match too_wide(text) {
                None => value(json).map_err(|_| ()),
                Some(_) => Err(()),
            });
            assert_eq!(read, expected, "{text}");
        };
        check("9223372036854775807", Ok(Value::Int(i64::MAX)));
        check("9223372036854775808", Err(()));
        check("-9223372036854775808", Ok(Value::Int(i64::MIN)));
        check("9223372036854775808.0", Ok(Value::Float(9_223_372_036_854_775_808.0)));
        check(r#""a \"9223372036854775808""#, Ok(Value::text("a \"9223372036854775808")));
        check(r#"["\\", 9223372036854775808]"#, Err(()));
        check("1.0", Ok(Value::Int(1)));
        check("1e999", Err(()));
        check(&"[".repeat(100_000), Err(()));
    }
}
