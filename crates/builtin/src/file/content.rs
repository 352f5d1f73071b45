//! What a file contains.

use std::fmt;

use uphold_resource::{Bytes, Context, Problem, Property, Type, Value};

/// What a file contains: text or bytes, shared when cloned, printed as text where it is text.
///
/// What is there may also be content that nobody wanted to read, or no content at all because
/// something else than a file is there. Neither can be asked for.
#[derive(Clone, PartialEq, Eq)]
pub struct Content(Form);

#[derive(Clone, PartialEq, Eq)]
enum Form {
    /// These bytes.
    Bytes(Bytes),
    /// There is content, and nobody asked for it.
    Unread,
    /// Content of this size, which is not the one asked for. It was not read.
    Sized(u64),
    /// Something else is there: the words say what.
    Other(&'static str),
    /// A wish: whatever is in there, so long as it is a file.
    Any,
}

impl Content {
    /// Content that was not read.
    pub(crate) const UNREAD: Content = Content(Form::Unread);

    /// Content that differs by its size alone, and is too large to be shown.
    pub(crate) fn sized(size: u64) -> Self {
        Content(Form::Sized(size))
    }

    /// The wish for a regular file, whatever it contains.
    pub(crate) const ANY: Content = Content(Form::Any);

    /// No content, because there is something else: `words` say what.
    pub(crate) fn other(words: &'static str) -> Self {
        Content(Form::Other(words))
    }

    /// The bytes, if they are known.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            Form::Bytes(bytes) => Some(&bytes.0),
            Form::Unread | Form::Sized(_) | Form::Other(_) | Form::Any => None,
        }
    }

    /// What is there instead of a file.
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
            Form::Unread | Form::Any => Value::Null,
            Form::Sized(size) => Value::text(format!("({size} bytes)")),
            Form::Other(words) => Value::text(format!("({words})")),
        }
    }

    /// Any file will do if there is one; else it is a new, empty one.
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
    fn a_wish_settles_against_what_is_there() {
        let check = |wish: &Content, current: Option<&Content>, expected: &Content| {
            assert_eq!(&wish.settle(current), expected, "{wish:?} on {current:?}");
        };
        let (text, empty) = (Content::from("x"), Content::from(""));
        let pipe = Content::other("a named pipe");
        check(&text, Some(&pipe), &text);
        check(&text, Some(&Content::UNREAD), &text);
        check(&Content::ANY, Some(&Content::UNREAD), &Content::UNREAD);
        check(&Content::ANY, Some(&text), &text);
        check(&Content::ANY, Some(&pipe), &empty);
        check(&Content::ANY, None, &empty);
    }

    #[test]
    fn text_prints_as_text_and_bytes_as_bytes() {
        let check = |content: Content, expected: &str| assert_eq!(format!("{content:?}"), expected);
        check("a\n".into(), r#""a\n""#);
        check(vec![0xff, 0].into(), "(2 bytes)");
        check(Content::UNREAD, "null");
        check(Content::sized(4 << 30), r#""(4294967296 bytes)""#);
        check(Content::other("a socket"), r#""(a socket)""#);
    }
}
