//! Gzip.

use std::io::{Read, Write};

use data_encoding::BASE64;
use flate2::read::MultiGzDecoder;
use flate2::{Compression, GzBuilder};
use uphold_model::{Shape, Value};

use super::base64;
use crate::bounds::{LONGEST_TEXT, too_long};
use crate::call::{Call, Fault};
use crate::function::Accepts::{Data, Text};
use crate::function::{Body, Function, Topic, example, takes};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "base64gunzip",
        topic: Topic::Encoding,
        parameters: &[takes("text", Text)],
        rest: None,
        gives: None,
        doc: "Decodes base64, and decompresses the bytes with gzip. The result is a string if it is valid \
              UTF-8, otherwise bytes.",
        examples: &[example("base64gunzip(base64gzip(\"Hello\"))", "\"Hello\"")],
        body: Body::Whole(decode),
    },
    Function {
        name: "base64gzip",
        topic: Topic::Encoding,
        parameters: &[takes("data", Data)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Compresses a string or bytes with gzip, and encodes the result in base64. The same input always \
              gives the same result, but compressors differ, so it is not the same as Terraform's.",
        examples: &[example("substr(base64gzip(\"Hello\"), 0, 13)", "\"H4sIAAAAAAAA/\"")],
        body: Body::Whole(encode),
    },
];

fn encode(call: &Call<'_>) -> Result<Value, Fault> {
    // Neither a time nor the system: the result depends only on the data.
    let mut encoder =
        GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::default());
    let compressed = encoder.write_all(call.data(0)?).and_then(|()| encoder.finish());
    base64::encode(&compressed.map_err(|error| Fault::at(0, format!("cannot be compressed: {error}")))?)
}

fn decode(call: &Call<'_>) -> Result<Value, Fault> {
    let decoded = BASE64.decode(call.text(0)?.as_bytes());
    let compressed = decoded.map_err(|error| Fault::at(0, format!("this is not base64: {error}")))?;
    let mut bytes = Vec::new();
    let mut reader = MultiGzDecoder::new(&*compressed).take(LONGEST_TEXT as u64 + 1);
    reader.read_to_end(&mut bytes).map_err(|error| Fault::at(0, format!("this is not gzip: {error}")))?;
    if bytes.len() > LONGEST_TEXT {
        return Err(too_long());
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Value::text(text),
        Err(error) => Value::Bytes(error.into_bytes().into()),
    })
}
