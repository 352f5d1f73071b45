//! The content of a file.

use std::fmt;

use uphold_resource::{Bytes, Context, Problem, Property, Type, Value};

/// The content of a file: a string or bytes, shared when cloned, printed as text if it is UTF-8.
///
/// A current value may also be content that was only measured, which cannot be declared.
#[derive(Clone, PartialEq, Eq)]
pub struct Content(Form);

#[derive(Clone, PartialEq, Eq)]
enum Form {
    /// These bytes.
    Bytes(Bytes),
    /// Content of this size, which differs from the declared one. It was not read.
    Sized(u64),
}

impl Content {
    /// Content that differs by its size and is too large to show.
    pub(crate) fn sized(size: u64) -> Self {
        Content(Form::Sized(size))
    }

    /// The bytes, if they were read or declared.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            Form::Bytes(bytes) => Some(&bytes.0),
            Form::Sized(_) => None,
        }
    }
}

impl Property for Content {
    const TYPE: &'static Type = Bytes::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        Bytes::from_value(value, context).map(|bytes| Content(Form::Bytes(bytes)))
    }

    fn to_value(&self) -> Value {
        match &self.0 {
            Form::Bytes(bytes) => bytes.to_value(),
            Form::Sized(size) => Value::text(format!("({size} bytes)")),
        }
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_value())
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        Content(Form::Bytes(bytes.into()))
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Content(Form::Bytes(text.into()))
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        text.into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_prints_as_text_and_bytes_as_bytes() {
        let check = |content: Content, expected: &str| assert_eq!(format!("{content:?}"), expected);
        check("a\n".into(), r#""a\n""#);
        check(vec![0xff, 0].into(), "(2 bytes)");
        check(Content::sized(4 << 30), r#""(4294967296 bytes)""#);
    }
}
