//! Surroundings without files, variables and facts.

use std::path::Path;
use std::time::SystemTime;

use uphold_config::{FactError, Surroundings};
use uphold_model::{FactSchema, Value};

/// No files, no environment, no facts.
pub(crate) struct Nothing;

impl Surroundings for Nothing {
    fn read(&self, _: &Path) -> Result<Vec<u8>, String> {
        Err("no such file".to_owned())
    }

    fn list(&self, _: &Path) -> Result<Vec<String>, String> {
        Err("no such directory".to_owned())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn current_directory(&self) -> &Path {
        Path::new("/")
    }

    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn facts(&self) -> &'static [FactSchema] {
        &[]
    }

    fn fact(&self, name: &str) -> Result<Value, FactError> {
        Err(FactError(format!("nobody knows {name}")))
    }
}
