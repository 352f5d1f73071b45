//! The content of a table.

use uphold_resource::{Context, Problem, Property, Type, Value};

/// Chains, rules, sets and other content of a table, in the syntax of `nft`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruleset(String);

impl Ruleset {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Property for Ruleset {
    const TYPE: &'static Type = String::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        let first = text.split_whitespace().next();
        match first {
            Some("table" | "add" | "flush" | "delete" | "#!/usr/sbin/nft") => {
                let hint = "write only the text between its braces: `chain input { … }`";
                Err(Problem::new(Some(value), "is not the content of a table", hint))
            }
            _ => Ok(Ruleset(text)),
        }
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

impl From<String> for Ruleset {
    fn from(text: String) -> Self {
        Ruleset(text)
    }
}

impl From<&str> for Ruleset {
    fn from(text: &str) -> Self {
        Ruleset(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_the_content_of_a_table() {
        let check = |text: &str, fine: bool| {
            let decoded = Ruleset::from_value(&Value::text(text), &Context::NOTHING);
            assert_eq!(decoded.is_ok(), fine, "{text}");
        };
        check("", true);
        check("chain input { }", true);
        check("# table\nset s { type ipv4_addr; }", true);
        check("table inet web { }", false);
        check("\n  flush ruleset", false);
        check("add rule inet web input accept", false);
        check("#!/usr/sbin/nft -f\n", false);
    }
}
