//! What network links are called.

use std::fmt;

use uphold_resource::{Claim, Context, Problem, Property, Type, Value};

/// The name of a network link, such as `eth0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkName(pub String);

impl Property for LinkName {
    const TYPE: &'static Type = &Type::Named {
        name: "link name",
        doc: "the name of a network link: up to 15 letters, digits and `_.+@-`",
        example: r#""eth0""#,
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        match value {
            Value::Text(text) if is_link_name(text) => Ok(Self(text.to_string())),
            _ => {
                let fix = "use up to 15 letters, digits, and `_`, `.`, `+`, `@`, `-`; begin with a letter, digit or `_`";
                Err(Problem::new(Some(value), "is not a name of a network link", fix))
            }
        }
    }

    fn to_value(&self) -> Value {
        Value::text(&*self.0)
    }
}

fn is_link_name(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.len() <= 15 && text.starts_with(is_word) && text.chars().all(|c| is_word(c) || ".+@-".contains(c))
}

impl LinkName {
    /// What a resource that makes it provides, and what stands on it needs.
    pub(super) fn claim(&self) -> Claim {
        Claim::Other("network link", self.0.as_str().into())
    }

    /// What the one end of a pair provides that makes the other one, too.
    pub(super) fn claim_of_end(&self) -> Claim {
        Claim::Other("end of a pair of links", self.0.as_str().into())
    }
}

impl fmt::Display for LinkName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
