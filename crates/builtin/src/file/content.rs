//! The content of a file.

use std::fmt;

use uphold_resource::{Bytes, Context, Problem, Property, Type, Value};

/// The content of a file: a string or bytes, shared when cloned, printed as text if it is UTF-8.
///
/// A current value may also be content that was only measured, or no content because another type of file is in the
/// way. Neither can be declared.
#[derive(Clone, PartialEq, Eq)]
pub struct Content(Form);

#[derive(Clone, PartialEq, Eq)]
enum Form {
    /// These bytes.
    Bytes(Bytes),
    /// Content of this size, which differs from the declared one. It was not read.
    Sized(u64),
    /// Another type of file, with its name.
    Other(&'static str),
    /// A declaration of any content, as long as it is a regular file.
    Any,
}

impl Content {
    /// Content that differs by its size and is too large to show.
    pub(crate) fn sized(size: u64) -> Self {
        Content(Form::Sized(size))
    }

    /// A declaration of a regular file with any content.
    pub(crate) const ANY: Content = Content(Form::Any);

    /// No content, because of another type of file, with its name.
    pub(crate) fn other(words: &'static str) -> Self {
        Content(Form::Other(words))
    }

    /// The bytes, if they were read or declared.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            Form::Bytes(bytes) => Some(&bytes.0),
            Form::Sized(_) | Form::Other(_) | Form::Any => None,
        }
    }

    /// The type of file that is in the way.
    pub(crate) fn instead(&self) -> Option<&'static str> {
        match self.0 {
            Form::Other(words) => Some(words),
            _ => None,
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
            Form::Any => Value::Null,
            Form::Sized(size) => Value::text(format!("({size} bytes)")),
            Form::Other(words) => Value::text(format!("({words})")),
        }
    }

    /// Any existing file matches; otherwise it is a new, empty file.
    fn settle(&self, current: Option<&Self>) -> Self {
        match (&self.0, current) {
            (Form::Any, Some(current)) if current.instead().is_none() => current.clone(),
            (Form::Any, _) => Content(Form::Bytes(Bytes::default())),
            _ => self.clone(),
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
    fn declared_content_resolves_against_the_current_one() {
        let check = |declared: &Content, current: Option<&Content>, expected: &Content| {
            assert_eq!(&declared.settle(current), expected, "{declared:?} on {current:?}");
        };
        let (text, empty) = (Content::from("x"), Content::from(""));
        let pipe = Content::other("a named pipe");
        check(&text, Some(&pipe), &text);
        check(&Content::ANY, Some(&text), &text);
        check(&Content::ANY, Some(&pipe), &empty);
        check(&Content::ANY, None, &empty);
    }

    #[test]
    fn text_prints_as_text_and_bytes_as_bytes() {
        let check = |content: Content, expected: &str| assert_eq!(format!("{content:?}"), expected);
        check("a\n".into(), r#""a\n""#);
        check(vec![0xff, 0].into(), "(2 bytes)");
        check(Content::sized(4 << 30), r#""(4294967296 bytes)""#);
        check(Content::other("a socket"), r#""(a socket)""#);
    }
}
