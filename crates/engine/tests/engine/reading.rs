//! Configurations as text.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use uphold_config::{FactError, Reader, Surroundings};
use uphold_engine::{Engine, Mode, Program};
use uphold_model::{FactSchema, Sources, Value};

use crate::check::{SharedHost, engine, print_diagnostics, print_run};

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

/// Checks a configuration; what is wrong with it as text.
pub(crate) fn program(engine: &Engine, text: &str) -> Result<Program, String> {
    let mut sources = Sources::default();
    let id = sources.add("a.hcl", text);
    let reading = Reader::new(Arc::new(Nothing)).read(&mut sources, &[id]);
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    let (program, diagnostics) = engine.check(reading.statements);
    program.ok_or_else(|| print_diagnostics(&diagnostics, |place| sources.describe(place)))
}

/// Runs a configuration; what happened as text.
pub(crate) fn run(host: &SharedHost, mode: Mode, jobs: usize, text: &str) -> String {
    let engine = engine(host, jobs);
    match program(&engine, text) {
        Ok(program) => print_run(&engine, &program, mode),
        Err(told) => told,
    }
}
