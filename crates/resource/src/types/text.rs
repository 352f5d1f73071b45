//! Strings, booleans and values of any type.

use std::fmt;
use std::sync::Arc;

use uphold_model::{Name, Problem, Type, Value};

use crate::property::{Context, Property};

use super::{mismatch, quoting};

/// A string. Other values are not converted silently.
impl Property for String {
    const TYPE: &'static Type = &Type::Text;

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        match value {
            Value::Text(text) => Ok(text.to_string()),
            other => Err(mismatch(other, "a string", quoting(other))),
        }
    }

    fn to_value(&self) -> Value {
        Value::text(self.as_str())
    }
}

/// A string that is shared with the declaration: for strings that are stored and never changed.
impl Property for Name {
    const TYPE: &'static Type = &Type::Text;

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        match value {
            Value::Text(text) => Ok(text.clone()),
            other => Err(mismatch(other, "a string", quoting(other))),
        }
    }

    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }
}

/// Only `true` and `false`: accepting the string "false" would be error-prone.
impl Property for bool {
    const TYPE: &'static Type = &Type::Bool;

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        match value {
            Value::Bool(b) => Ok(*b),
            other => Err(mismatch(other, "true or false", "write true or false, without quotes")),
        }
    }

    fn to_value(&self) -> Value {
        Value::Bool(*self)
    }
}

/// Any value, including null.
impl Property for Value {
    const TYPE: &'static Type = &Type::Any;

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        Ok(value.clone())
    }

    fn to_value(&self) -> Value {
        self.clone()
    }
}

// Byte strings.

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
