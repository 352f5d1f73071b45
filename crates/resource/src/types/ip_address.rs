//! IP addresses, compared by value and not by spelling.

use std::net::IpAddr;

use uphold_model::{Problem, Type, Value};

use super::refused;
use crate::property::{Context, Property};

impl Property for IpAddr {
    const TYPE: &'static Type =
        &Type::Named { name: "address", doc: "an IPv4 or IPv6 address", example: r#""192.0.2.7""# };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let parsed = String::from_value(value, context).ok().and_then(|text| text.parse().ok());
        parsed.ok_or_else(|| {
            refused(value, "is not an IP address", r#"write it as in "192.0.2.7" or "2001:db8::7""#)
        })
    }

    fn to_value(&self) -> Value {
        Value::text(self.to_string())
    }
}
