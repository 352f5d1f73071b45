//! The target of a link.

use std::fmt;
use std::path::{Path, PathBuf};

use uphold_resource::{AnyPath, Context, Problem, Property, Type, Value};

/// The target of a link, exactly as stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Target(Form);

#[derive(Clone, PartialEq, Eq)]
enum Form {
    Path(AnyPath),
    /// A path that is not UTF-8. It can be found but not declared, so it equals no declared target.
    Bytes(PathBuf),
}

impl Target {
    /// The path.
    pub fn path(&self) -> &Path {
        match &self.0 {
            Form::Path(path) => path.as_ref(),
            Form::Bytes(path) => path,
        }
    }

    /// Whether it is a path that can be declared.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.0, Form::Path(_))
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
            Form::Bytes(path) => Value::text(path.to_string_lossy()),
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

impl From<&Path> for Target {
    fn from(path: &Path) -> Self {
        path.to_str().map_or_else(|| Target(Form::Bytes(path.to_owned())), Target::from)
    }
}
