//! URL encoding.

use std::fmt::Write;

use uphold_model::{Shape, Value};

use crate::bounds::{Bounded, too_long};
use crate::call::{Call, Fault};
use crate::function::Accepts::Writable;
use crate::function::{Body, Function, Topic, example, takes};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "urldecode",
        topic: Topic::Encoding,
        parameters: &[takes("text", Writable)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Decodes a URL-encoded string: `%20` and `+` become spaces.",
        examples: &[example("urldecode(\"Hello+World%21\")", "\"Hello World!\"")],
        body: Body::Whole(decode),
    },
    Function {
        name: "urlencode",
        topic: Topic::Encoding,
        parameters: &[takes("text", Writable)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Encodes a string for the query of a URL. Only letters, digits and `-_.~` stay; a space becomes \
              `+`.",
        examples: &[example("urlencode(\"Hello World!\")", "\"Hello+World%21\"")],
        body: Body::Whole(encode),
    },
];

fn encode(call: &Call<'_>) -> Result<Value, Fault> {
    let mut encoded = Bounded::default();
    for byte in call.written(0)?.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                encoded.push(char::from(byte).encode_utf8(&mut [0; 4]))?;
            }
            b' ' => encoded.push("+")?,
            _ => write!(encoded, "%{byte:02X}").map_err(|_| too_long())?,
        }
    }
    Ok(encoded.into_value())
}

fn decode(call: &Call<'_>) -> Result<Value, Fault> {
    let text = call.written(0)?;
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'+' => b' ',
            b'%' => digits(bytes.next(), bytes.next())
                .ok_or_else(|| Fault::at(0, "two hexadecimal digits must follow every `%`"))?,
            other => other,
        });
    }
    String::from_utf8(decoded).map(Value::text).map_err(|_| Fault::at(0, "the decoded text is not UTF-8"))
}

fn digits(high: Option<u8>, low: Option<u8>) -> Option<u8> {
    let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}
