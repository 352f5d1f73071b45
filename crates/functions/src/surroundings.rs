//! The interface to everything outside of the configuration.

use std::path::Path;
use std::time::SystemTime;

use uphold_model::{FactSchema, Value};

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
