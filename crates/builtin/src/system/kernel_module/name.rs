//! Names of kernel modules.

use std::fmt;

use uphold_resource::{Context, Problem, Property, Type, Value};

/// The name of a kernel module. The kernel does not distinguish `-` and `_`; here it is `_`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModuleName(String);

impl ModuleName {
    /// Parses a name; none if it is not valid.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        (!text.is_empty() && !text.starts_with('-') && text.chars().all(is_part))
            .then(|| Self(text.replace('-', "_")))
    }
}

impl fmt::Display for ModuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Property for ModuleName {
    const TYPE: &'static Type = &Type::Named {
        name: "kernel module",
        doc: "the name of a kernel module",
        example: r#""br_netfilter""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        let fix = "use its name, without directory and `.ko`";
        Self::parse(&text).ok_or_else(|| Problem::new(Some(value), "is not the name of a kernel module", fix))
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_are_underscores() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(ModuleName::parse(text).map(|name| name.0).as_deref(), expected, "{text}");
        };
        check("br-netfilter", Some("br_netfilter"));
        check("8021q", Some("8021q"));
        for wrong in ["", "-r", "a.ko", "a/b", "a b"] {
            check(wrong, None);
        }
    }
}
