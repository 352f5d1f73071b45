//! Function calls: arguments, errors, and the interface to everything outside of the configuration.

use std::cell::Cell;
use std::path::Path;
use std::time::SystemTime;

use uphold_model::{FactSchema, Value};

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
