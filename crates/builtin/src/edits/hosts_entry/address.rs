//! IP addresses as a property.

use std::fmt;
use std::net::IpAddr;

use uphold_resource::{Context, Problem, Property, Type, Value};

/// An IPv4 or IPv6 address, compared by value and not by spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpAddress(pub IpAddr);

impl Property for IpAddress {
    const TYPE: &'static Type =
        &Type::Named { name: "address", doc: "an IPv4 or IPv6 address", example: r#""192.0.2.7""# };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let parsed = match value {
            Value::Text(text) => text.parse().ok(),
            _ => None,
        };
        let problem = || {
            Problem::new(
                Some(value),
                "is not an IP address",
                r#"write it as in "192.0.2.7" or "2001:db8::7""#,
            )
        };
        parsed.map(IpAddress).ok_or_else(problem)
    }

    fn to_value(&self) -> Value {
        Value::text(self.to_string())
    }
}

impl fmt::Display for IpAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
