//! Strings, booleans and values of any type.

use uphold_model::{Name, Problem, Type, Value};

use super::{mismatch, quoting};
use crate::property::{Context, Property};

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
