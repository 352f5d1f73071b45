//! MAC addresses.

use std::fmt;

use uphold_resource::{Context, Problem, Property, Type, Value};

/// A MAC address, such as `02:00:00:00:00:01`. Case does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HardwareAddress(String);

impl HardwareAddress {
    /// The address as the kernel reports it, of any length.
    pub(super) fn reported(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Display for HardwareAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Property for HardwareAddress {
    const TYPE: &'static Type = &Type::Named {
        name: "MAC address",
        doc: "six bytes, each as two hexadecimal digits",
        example: r#""02:00:00:00:00:01""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?.to_ascii_lowercase().replace('-', ":");
        let is_byte = |part: &str| part.len() == 2 && part.bytes().all(|digit| digit.is_ascii_hexdigit());
        if text.split(':').count() == 6 && text.split(':').all(is_byte) {
            return Ok(Self(text));
        }
        Err(Problem::new(Some(value), "is not a MAC address", r#"write it as in "02:00:00:00:00:01""#))
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_six_bytes() {
        let check = |text: &str, expected: Option<&str>| {
            let decoded = HardwareAddress::from_value(&Value::text(text), &Context::NOTHING).ok();
            assert_eq!(decoded.map(|address| address.to_string()).as_deref(), expected, "{text}");
        };
        check("02:00:00:00:00:0A", Some("02:00:00:00:00:0a"));
        check("02-00-00-00-00-01", Some("02:00:00:00:00:01"));
        check("02:00:00:00:00", None);
        check("02:00:00:00:00:1", None);
        check("02:00:00:00:00:0g", None);
        check("", None);
    }
}
