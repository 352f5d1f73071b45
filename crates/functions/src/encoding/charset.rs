//! Strings in other character sets.

use data_encoding::BASE64;
use uphold_model::{Shape, Value};

use super::base64;
use crate::call::{Call, Fault};
use crate::function::Accepts::Text;
use crate::function::{Body, Function, Topic, example, takes};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "textdecodebase64",
        topic: Topic::Encoding,
        parameters: &[takes("text", Text), takes("encoding", Text)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Decodes base64, and interprets the bytes in a character set: `UTF-8`, `UTF-16LE`, `UTF-16BE`, \
              `US-ASCII` or `ISO-8859-1`.",
        examples: &[example(
            "textdecodebase64(\"SABlAGwAbABvACAAVwBvAHIAbABkAA==\", \"UTF-16LE\")",
            "\"Hello World\"",
        )],
        body: Body::Whole(decode),
    },
    Function {
        name: "textencodebase64",
        topic: Topic::Encoding,
        parameters: &[takes("text", Text), takes("encoding", Text)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Encodes a string in a character set, and the bytes in base64. The character sets are those of \
              `textdecodebase64`.",
        examples: &[example(
            "textencodebase64(\"Hello World\", \"UTF-16LE\")",
            "\"SABlAGwAbABvACAAVwBvAHIAbABkAA==\"",
        )],
        body: Body::Whole(encode),
    },
];

enum Charset {
    Utf8,
    Utf16 {
        little: bool,
    },
    /// One byte per character, up to this code point.
    Single(u32),
}

fn charset(call: &Call<'_>) -> Result<Charset, Fault> {
    let name = call.text(1)?;
    Ok(match &*name.to_ascii_uppercase() {
        "UTF-8" | "UTF8" => Charset::Utf8,
        "UTF-16LE" => Charset::Utf16 { little: true },
        "UTF-16BE" => Charset::Utf16 { little: false },
        "US-ASCII" | "ASCII" => Charset::Single(0x7f),
        "ISO-8859-1" | "LATIN1" => Charset::Single(0xff),
        _ => {
            return Err(Fault::at(1, format!("{name:?} is not a known character set"))
                .with_fix("use UTF-8, UTF-16LE, UTF-16BE, US-ASCII or ISO-8859-1"));
        }
    })
}

fn encode(call: &Call<'_>) -> Result<Value, Fault> {
    let text = call.text(0)?;
    let bytes = match charset(call)? {
        Charset::Utf8 => text.as_bytes().to_vec(),
        Charset::Utf16 { little } => {
            let bytes = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
            text.encode_utf16().flat_map(bytes).collect()
        }
        Charset::Single(last) => {
            let byte = |c: char| u8::try_from(u32::from(c)).ok().filter(|byte| u32::from(*byte) <= last);
            let missing =
                |c: char| Fault::at(0, format!("{c:?} is not in {}", call.text(1).map_or("", |name| name)));
            text.chars().map(|c| byte(c).ok_or_else(|| missing(c))).collect::<Result<_, _>>()?
        }
    };
    base64::encode(&bytes)
}

fn decode(call: &Call<'_>) -> Result<Value, Fault> {
    let charset = charset(call)?;
    let decoded = BASE64.decode(call.text(0)?.as_bytes());
    let bytes = decoded.map_err(|error| Fault::at(0, format!("this is not base64: {error}")))?;
    let text = match charset {
        Charset::Utf8 => String::from_utf8(bytes).ok(),
        Charset::Utf16 { little } => {
            let (pairs, rest) = bytes.as_chunks::<2>();
            let unit =
                |pair: &[u8; 2]| if little { u16::from_le_bytes(*pair) } else { u16::from_be_bytes(*pair) };
            let text = char::decode_utf16(pairs.iter().map(unit)).collect::<Result<String, _>>().ok();
            text.filter(|_| rest.is_empty())
        }
        Charset::Single(last) => {
            bytes.iter().map(|byte| char::from(*byte)).map(|c| (u32::from(c) <= last).then_some(c)).collect()
        }
    };
    let wrong = || Fault::at(0, format!("the bytes are not valid {}", call.text(1).map_or("", |name| name)));
    text.map(Value::text).ok_or_else(wrong)
}
