//! Where a link leads.

use std::fmt;
use std::path::Path;

use uphold_resource::{AnyPath, Context, Problem, Property, Type, Value};

/// Where a link leads, to the letter; or what is there instead of the link.
#[derive(Clone, PartialEq, Eq)]
pub struct Target(Form);

#[derive(Clone, PartialEq, Eq)]
enum Form {
    Path(AnyPath),
    /// There is no such link: the words say what is there.
    Other(&'static str),
}

impl Target {
    /// There is something else: `words` say what.
    pub(crate) fn other(words: &'static str) -> Self {
        Target(Form::Other(words))
    }

    /// The path, if it is a link.
    pub fn path(&self) -> Option<&Path> {
        match &self.0 {
            Form::Path(path) => Some(path.as_ref()),
            Form::Other(_) => None,
        }
    }

    /// What is there instead of the link.
    pub(crate) fn instead(&self) -> Option<&'static str> {
        match self.0 {
            Form::Path(_) => None,
            Form::Other(words) => Some(words),
        }
    }
}

impl Property for Target {
    const TYPE: &'static Type = AnyPath::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        AnyPath::from_value(value, context).map(|path| Target(Form::Path(path)))
    }

    fn to_value(&self) -> Value {
        match &self.0 {
            Form::Path(path) => path.to_value(),
            Form::Other(words) => Value::text(format!("({words})")),
        }
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_value())
    }
}

impl From<&str> for Target {
    fn from(path: &str) -> Self {
        Target(Form::Path(AnyPath::new(path)))
    }
}
