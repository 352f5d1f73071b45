//! Network ports.

use uphold_model::{Problem, Type, Value};

use super::refused;
use crate::property::{Context, Property};

/// A TCP or UDP port, 1 to 65535.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Port(pub u16);

impl Property for Port {
    const TYPE: &'static Type = &Type::Named { name: "port", doc: "a port from 1 to 65535", example: "8080" };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        match u16::from_value(value, context) {
            Ok(0) | Err(_) => Err(refused(value, "is not a port", "write a number from 1 to 65535")),
            Ok(port) => Ok(Port(port)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Int(i64::from(self.0))
    }
}
