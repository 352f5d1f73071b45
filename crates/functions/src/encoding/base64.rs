//! Base64.

use data_encoding::BASE64;
use uphold_model::{Shape, Value};

use crate::bounds::{LONGEST_TEXT, too_long};
use crate::call::{Call, Fault};
use crate::function::Accepts::{Data, Text};
use crate::function::{Body, Function, Topic, example, takes};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "base64decode",
        topic: Topic::Encoding,
        parameters: &[takes("text", Text)],
        rest: None,
        gives: None,
        doc: "Decodes a base64 string with padding. The result is a string if it is valid UTF-8, otherwise \
              bytes.",
        examples: &[example("base64decode(\"SGVsbG8gV29ybGQ=\")", "\"Hello World\"")],
        body: Body::Whole(decode),
    },
    Function {
        name: "base64encode",
        topic: Topic::Encoding,
        parameters: &[takes("data", Data)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Encodes a string or bytes in base64, with padding.",
        examples: &[example("base64encode(\"Hello World\")", "\"SGVsbG8gV29ybGQ=\"")],
        body: Body::Whole(|call| encode(call.data(0)?)),
    },
];

/// The base64 of `data`.
pub(crate) fn encode(data: &[u8]) -> Result<Value, Fault> {
    if BASE64.encode_len(data.len()) > LONGEST_TEXT {
        Err(too_long())
    } else {
        Ok(Value::text(BASE64.encode(data)))
    }
}

fn decode(call: &Call<'_>) -> Result<Value, Fault> {
    let decoded = BASE64.decode(call.text(0)?.as_bytes());
    let bytes = decoded.map_err(|error| Fault::at(0, format!("this is not base64: {error}")))?;
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Value::text(text),
        Err(error) => Value::Bytes(error.into_bytes().into()),
    })
}
