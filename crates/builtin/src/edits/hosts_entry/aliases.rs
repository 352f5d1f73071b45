//! Other names of one thing.

use uphold_resource::{Context, Problem, Property, Type, Value};

/// Other names of a host. Their order makes no difference.
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

/// Whether this can be the name of a host in a table: for a property, or for each of a list.
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
