//! What expressions may read besides the configuration.

use std::path::Path;
use std::time::SystemTime;

use uphold_model::{FactSchema, Value};

/// Files, the environment, the time and facts: the only way of a configuration to anything outside of it.
///
/// An archive counts as a directory: `modules.tar.gz/web/main.hcl` is a file in it. What is read stays the same for
/// as long as the surroundings live.
pub trait Surroundings: Send + Sync {
    /// The content of a file.
    ///
    /// # Errors
    /// A lower-case reason, such as `no such file`.
    fn read(&self, path: &Path) -> Result<Vec<u8>, String>;

    /// The names in a directory, sorted. Those of directories end with `/`.
    ///
    /// # Errors
    /// A lower-case reason, also if it is not a directory.
    fn list(&self, directory: &Path) -> Result<Vec<String>, String>;

    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<String>;

    /// The directory that relative paths of the command line are below.
    fn current_directory(&self) -> &Path;

    /// When the command was started.
    fn now(&self) -> SystemTime;

    /// The facts that can be asked for.
    fn facts(&self) -> &'static [FactSchema];

    /// A fact by its whole name, such as `os.family`. Read when first asked for.
    ///
    /// # Errors
    /// Why it cannot be told on this machine.
    fn fact(&self, name: &str) -> Result<Value, FactError>;
}

/// Why a fact cannot be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactError(pub String);
