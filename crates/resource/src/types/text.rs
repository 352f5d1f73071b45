//! Text, truth, and anything at all.

use uphold_model::{Name, Problem, Type, Value};

use super::mismatch;
use crate::property::{Context, Property};

/// Text is text: a number is not turned into it silently.
impl Property for String {
    const TYPE: &'static Type = &Type::Text;

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        match value {
            Value::Text(text) => Ok(text.to_string()),
            other => Err(mismatch(other, "text", "put it in quotes")),
        }
    }

    fn to_value(&self) -> Value {
        Value::text(self.as_str())
    }
}

/// The same, shared with what was written: for text that is kept and never changed.
impl Property for Name {
    const TYPE: &'static Type = &Type::Text;

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        match value {
            Value::Text(text) => Ok(text.clone()),
            other => Err(mismatch(other, "text", "put it in quotes")),
        }
    }

    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }
}

/// Only `true` and `false`: the text "false" would be a trap.
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

/// Any value, null included.
impl Property for Value {
    const TYPE: &'static Type = &Type::Any;

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        Ok(value.clone())
    }

    fn to_value(&self) -> Value {
        self.clone()
    }
}
