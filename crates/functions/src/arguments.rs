//! Typed access to the arguments of a call.
//!
//! Arguments were checked against the parameters before; a missing or wrong one is still an error, not a panic.

use std::borrow::Cow;

use uphold_model::{Map, Name, Value};

use crate::call::{Call, Fault};
use crate::number::Number;

impl<'a> Call<'a> {
    /// An optional argument.
    pub(crate) fn given(&self, index: usize) -> Option<&'a Value> {
        self.arguments.get(index)
    }

    pub(crate) fn value(&self, index: usize) -> Result<&'a Value, Fault> {
        self.arguments.get(index).ok_or_else(|| Fault::new(format!("argument {} is missing", index + 1)))
    }

    pub(crate) fn text(&self, index: usize) -> Result<&'a Name, Fault> {
        match self.value(index)? {
            Value::Text(text) => Ok(text),
            other => Err(wrong(index, "a string", other)),
        }
    }

    /// A string, number or bool as a string.
    pub(crate) fn written(&self, index: usize) -> Result<Cow<'a, str>, Fault> {
        let value = self.value(index)?;
        written(value).ok_or_else(|| wrong(index, "a string, a number or a bool", value))
    }

    pub(crate) fn data(&self, index: usize) -> Result<&'a [u8], Fault> {
        match self.value(index)? {
            Value::Text(text) => Ok(text.as_bytes()),
            Value::Bytes(bytes) => Ok(bytes),
            other => Err(wrong(index, "a string or bytes", other)),
        }
    }

    pub(crate) fn number(&self, index: usize) -> Result<Number, Fault> {
        let value = self.value(index)?;
        Number::of(value).ok_or_else(|| wrong(index, "a number", value))
    }

    pub(crate) fn int(&self, index: usize) -> Result<i64, Fault> {
        let value = self.value(index)?;
        Number::of(value).and_then(Number::whole).ok_or_else(|| wrong(index, "a whole number", value))
    }

    /// A whole number that is not negative.
    pub(crate) fn count(&self, index: usize) -> Result<usize, Fault> {
        let number = self.int(index)?;
        usize::try_from(number).map_err(|_| Fault::at(index, format!("{number} is negative")))
    }

    pub(crate) fn list(&self, index: usize) -> Result<&'a [Value], Fault> {
        match self.value(index)? {
            Value::List(items) => Ok(items),
            other => Err(wrong(index, "a list", other)),
        }
    }

    pub(crate) fn map(&self, index: usize) -> Result<&'a Map, Fault> {
        match self.value(index)? {
            Value::Map(map) => Ok(map),
            other => Err(wrong(index, "a map", other)),
        }
    }

    /// The elements of a list as strings.
    pub(crate) fn texts(&self, index: usize) -> Result<Vec<Cow<'a, str>>, Fault> {
        let text = |(at, item): (usize, &'a Value)| {
            written(item).ok_or_else(|| element(index, at, "a string, a number or a bool", item))
        };
        self.list(index)?.iter().enumerate().map(text).collect()
    }
}

/// A string, number or bool as a string; none for other values.
pub(crate) fn written(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::Text(text) => Some(Cow::Borrowed(text)),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => Some(Cow::Owned(value.to_string())),
        _ => None,
    }
}

/// The error for an argument of the wrong type.
pub(crate) fn wrong(index: usize, expected: &str, found: &Value) -> Fault {
    Fault::at(index, format!("must be {expected}, not {}", found.type_name()))
}

/// The error for an element of the wrong type.
pub(crate) fn element(argument: usize, at: usize, expected: &str, found: &Value) -> Fault {
    Fault::at(argument, format!("element {at} must be {expected}, not {}", found.type_name()))
}
