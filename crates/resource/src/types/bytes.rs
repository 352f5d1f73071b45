//! Byte strings.

use std::fmt;
use std::sync::Arc;

use uphold_model::{Problem, Type, Value};

use super::{mismatch, quoting};
use crate::property::{Context, Property};

/// Bytes, shared when cloned. A string is taken as UTF-8; valid UTF-8 is printed as a string.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Bytes(pub Arc<[u8]>);

impl Property for Bytes {
    const TYPE: &'static Type = &Type::Bytes;

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        match value {
            Value::Text(text) => Ok(Bytes(Arc::from(Arc::clone(text)))),
            Value::Bytes(bytes) => Ok(Bytes(Arc::clone(bytes))),
            other => Err(mismatch(other, "a string or bytes", quoting(other))),
        }
    }

    fn to_value(&self) -> Value {
        match std::str::from_utf8(&self.0) {
            Ok(text) => Value::text(text),
            Err(_) => Value::Bytes(Arc::clone(&self.0)),
        }
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_value())
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes(bytes.into())
    }
}

impl From<&str> for Bytes {
    fn from(text: &str) -> Self {
        Bytes(text.as_bytes().into())
    }
}
