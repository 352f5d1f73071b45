//! The property `signed_by`.

use std::fmt;

use uphold_resource::{AbsolutePath, Claims, Context, Problem, Property, Role, Type, Value};

/// The path of a key file. An existing file may also contain the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedBy(String);

impl Property for SignedBy {
    const TYPE: &'static Type = AbsolutePath::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        AbsolutePath::from_value(value, context).map(|path| Self(path.to_string()))
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }

    /// It depends on its key file.
    fn claim(&self, role: Role, claims: &mut Claims) {
        if let Ok(path) = AbsolutePath::new(&self.0) {
            path.claim(role, claims);
        }
    }
}

impl From<&str> for SignedBy {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Display for SignedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
