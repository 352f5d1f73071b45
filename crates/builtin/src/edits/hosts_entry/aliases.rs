//! Alternative names of a host.

use uphold_resource::{Context, Problem, Property, Type, Value};

/// A set of names; the order does not matter.
#[derive(Clone, Debug, Default)]
pub struct Aliases(pub Vec<String>);

impl PartialEq for Aliases {
    fn eq(&self, other: &Self) -> bool {
        let sorted = |names: &[String]| {
            let mut names = names.to_vec();
            names.sort();
            names
        };
        sorted(&self.0) == sorted(&other.0)
    }
}

impl Property for Aliases {
    const TYPE: &'static Type = <Vec<String> as Property>::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        Vec::from_value(value, context).map(Aliases)
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

/// Whether this is a host name, or a list of host names, without special characters.
pub(crate) fn are_names(value: &Value) -> bool {
    match value {
        Value::List(items) => items.iter().all(are_names),
        Value::Text(name) => {
            !name.is_empty()
                && !name.contains(|c: char| c.is_whitespace() || c.is_control() || "#,".contains(c))
        }
        _ => false,
    }
}
