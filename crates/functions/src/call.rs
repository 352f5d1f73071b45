//! Function calls: arguments, errors, and the interface to everything outside of the configuration.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use super::bounds::{DEEPEST, MOST_PARTS, too_deep};
use uphold_model::{FactSchema, Name, SourceText, Value};

/// The arguments and the environment of one call.
pub struct Call<'a> {
    /// As many as the function takes, each of an accepted type.
    pub arguments: &'a [Value],
    /// The directory of the calling source; relative paths start here.
    pub directory: &'a Path,
    /// Access to everything outside of the configuration.
    pub surroundings: &'a dyn Surroundings,
    /// Steps that the call took beyond those that follow from its arguments and result. The call adds to it.
    pub steps: &'a Cell<usize>,
}

/// The error of a failed call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The index of the wrong argument, if the error is in one.
    pub argument: Option<usize>,
    /// The problem: a lower-case fragment.
    pub message: String,
    /// A hint how to fix it.
    pub fix: Option<String>,
}

impl Fault {
    /// An error of the call as a whole.
    pub fn new(message: impl Into<String>) -> Self {
        Self { argument: None, message: message.into(), fix: None }
    }

    /// An error in one argument.
    pub fn at(argument: usize, message: impl Into<String>) -> Self {
        Self { argument: Some(argument), ..Self::new(message) }
    }

    /// The same error with a hint.
    #[must_use]
    pub fn with_fix(self, fix: impl Into<String>) -> Self {
        Self { fix: Some(fix.into()), ..self }
    }
}

/// Files, environment variables, the time and facts: the only access of a configuration to the outside.
///
/// An archive counts as a directory: `modules.tar.gz/web/main.hcl` is a file in it. Results stay the same for the
/// lifetime of the surroundings.
pub trait Surroundings: Send + Sync {
    /// The content of a file.
    ///
    /// # Errors
    /// A lower-case reason, such as `no such file`.
    fn read(&self, path: &Path) -> Result<Vec<u8>, String>;

    /// The text of a file that is read as configuration; none if it is not UTF-8. Surroundings that have the text already
    /// share it.
    ///
    /// # Errors
    /// As [`Surroundings::read`].
    fn read_source(&self, path: &Path) -> Result<Option<SourceText>, String> {
        self.read(path).map(|content| String::from_utf8(content).ok().map(SourceText::from))
    }

    /// The names in a directory, sorted. Names of directories end with `/`.
    ///
    /// # Errors
    /// A lower-case reason, also if it is not a directory.
    fn list(&self, directory: &Path) -> Result<Vec<String>, String>;

    /// An environment variable.
    fn variable(&self, name: &str) -> Option<String>;

    /// The directory that relative paths on the command line start at.
    fn current_directory(&self) -> &Path;

    /// The time when the command was started.
    fn now(&self) -> SystemTime;

    /// The available facts.
    fn facts(&self) -> &'static [FactSchema];

    /// A fact by its full name, such as `os.family`. Gathered on first use.
    ///
    /// # Errors
    /// The reason why the fact is not available on this machine.
    fn fact(&self, name: &str) -> Result<Value, FactError>;
}

/// Why a fact is not available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactError(pub String);

// Inspecting whole values for unknown and secret parts, with a limit on their size.

/// The result of inspecting values.
#[derive(Debug, Default)]
pub(crate) struct Inspection {
    /// What the first unknown part waits for.
    pub(crate) unknown: Option<Name>,
    /// Whether a part is secret.
    pub(crate) secret: bool,
    parts: usize,
}

impl Inspection {
    /// Inspects every part of `values`.
    pub(crate) fn of<'a>(values: impl IntoIterator<Item = &'a Value>) -> Result<Self, Fault> {
        let mut inspection = Self::default();
        values.into_iter().try_for_each(|value| inspection.visit(value, 0))?;
        Ok(inspection)
    }

    fn visit(&mut self, value: &Value, depth: usize) -> Result<(), Fault> {
        self.parts += 1;
        if depth > DEEPEST {
            return Err(too_deep());
        }
        if self.parts > MOST_PARTS {
            return Err(Fault::new(format!("the arguments have more than {MOST_PARTS} parts")));
        }
        match value {
            Value::List(items) => items.iter().try_for_each(|item| self.visit(item, depth + 1)),
            Value::Map(map) => map.values().try_for_each(|item| self.visit(item, depth + 1)),
            Value::Sensitive(inner) => {
                self.secret = true;
                self.visit(inner, depth + 1)
            }
            Value::Unknown(unknown) => {
                self.unknown.get_or_insert_with(|| unknown.waits_for.clone());
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// The same value without secrets. The value must have been inspected first.
pub(crate) fn revealed(value: &Value) -> Value {
    match value {
        Value::Sensitive(inner) => revealed(inner),
        Value::List(items) => Value::List(items.iter().map(revealed).collect()),
        Value::Map(map) => {
            Value::Map(Arc::new(map.iter().map(|(key, item)| (key.clone(), revealed(item))).collect()))
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod inspection_tests {
    use super::*;

    #[test]
    fn deep_and_repeated_values_are_rejected() {
        let nest = |levels| (0..levels).fold(Value::Null, |inner, _| Value::list([inner]));
        assert!(Inspection::of([&nest(DEEPEST)]).is_ok());
        assert!(Inspection::of([&nest(DEEPEST + 1)]).is_err());
        let laughs = (0..40).fold(Value::Null, |inner, _| Value::list([inner.clone(), inner]));
        assert!(Inspection::of([&laughs]).is_err());
    }

    #[test]
    fn nested_secrets_and_unknowns_are_found() {
        let value = Value::list([Value::map([("a", Value::unknown("x.y").sensitive())])]);
        let inspection = Inspection::of([&value, &Value::unknown("later")]).unwrap_or_default();
        assert_eq!(inspection.unknown.as_deref(), Some("x.y"));
        assert!(inspection.secret);
    }
}
