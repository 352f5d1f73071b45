//! The position of a new line.

use uphold_kit::pattern::Pattern;
use uphold_resource::{Context, Problem, Property, Type, Value};

/// A position in a file: its start, its end, or lines that match a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor(pub(crate) Spot);

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Spot {
    Begin,
    End,
    Matching(Pattern),
}

const BEGIN: &str = "BOF";
const END: &str = "EOF";

impl Property for Anchor {
    const TYPE: &'static Type = &Type::Named {
        name: "anchor",
        doc: r#"a regular expression, or "BOF" or "EOF" for the start or end of the file"#,
        example: r#""^\\[mysqld\\]""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        Ok(Anchor(match value {
            Value::Text(text) if **text == *BEGIN => Spot::Begin,
            Value::Text(text) if **text == *END => Spot::End,
            other => Spot::Matching(Pattern::from_value(other, context)?),
        }))
    }

    fn to_value(&self) -> Value {
        match &self.0 {
            Spot::Begin => Value::text(BEGIN),
            Spot::End => Value::text(END),
            Spot::Matching(pattern) => pattern.to_value(),
        }
    }
}
