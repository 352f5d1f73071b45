//! Host names.

use std::fmt;

use uphold_resource::{Context, Problem, Property, Type, Value};

/// The maximum length of the kernel.
const LONGEST: usize = 64;

/// The maximum length of a part between dots.
const LONGEST_PART: usize = 63;

/// A host name, with or without its domain: letters, digits, dashes, and dots between parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineName(String);

impl MachineName {
    /// An existing name, valid or not.
    pub(super) fn found(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before the first dot.
    pub(super) fn short(&self) -> &str {
        self.0.split('.').next().unwrap_or(&self.0)
    }
}

fn is_name(text: &str) -> bool {
    let is_part = |part: &str| {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '-';
        !part.is_empty()
            && part.len() <= LONGEST_PART
            && part.chars().all(is_letter)
            && !part.starts_with('-')
            && !part.ends_with('-')
    };
    text.len() <= LONGEST && text.split('.').all(is_part)
}

impl fmt::Display for MachineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Property for MachineName {
    const TYPE: &'static Type = &Type::Named {
        name: "machine name",
        doc: "a host name, with or without its domain",
        example: r#""web1.example.org""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        if is_name(&text) {
            return Ok(Self(text));
        }
        let fix = "use letters, digits and dashes, with dots between parts, and at most 64 characters";
        Err(Problem::new(Some(value), "is not a valid host name", fix))
    }

    fn to_value(&self) -> Value {
        Value::text(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_names() {
        for good in ["web1", "web-1.example.org", "a", &"x".repeat(63)] {
            assert!(is_name(good), "{good}");
        }
        for wrong in ["", "-a", "a-", "a..b", "a.", "a b", "a_b", "ä", &"x".repeat(64), &"x.".repeat(33)] {
            assert!(!is_name(wrong), "{wrong}");
        }
    }
}
