//! Configurations as text.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use uphold_config::{FactError, Reader, Surroundings};
use uphold_engine::{Engine, Program};
use uphold_model::{FactSchema, Sources, Value};

/// Neither files nor environment nor facts.
struct Nothing;

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

/// Checks a configuration.
///
/// # Panics
/// If something is wrong with it.
#[track_caller]
pub(crate) fn program(engine: &Engine, text: &str) -> Arc<Program> {
    let mut sources = Sources::default();
    let id = sources.add("a.hcl", text);
    let reading = Reader::new(Arc::new(Nothing)).read(&mut sources, &[id]);
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    let (program, diagnostics) = engine.check(reading.statements);
    Arc::new(program.unwrap_or_else(|| panic!("{diagnostics:?}")))
}
