//! Configurations as text.

use std::sync::Arc;

use uphold_config::Reader;
use uphold_engine::{Engine, Keep, Mode, Program};
use uphold_model::Sources;

use super::check::{SharedHost, engine, print_diagnostics, print_run};
use super::nothing::Nothing;

/// Checks a configuration, and returns its diagnostics as text.
pub(crate) fn program(engine: &Engine, text: &str) -> Result<Program, String> {
    let mut sources = Sources::default();
    let id = sources.add("a.hcl", text);
    let reading = Reader::new(Arc::new(Nothing)).read(&mut sources, &[id]);
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    let (program, diagnostics) = engine.check(reading.statements, Keep::All);
    program.ok_or_else(|| print_diagnostics(&diagnostics, |place| sources.describe(place)))
}

/// Runs a configuration, and returns its events as text.
pub(crate) fn run(host: &SharedHost, mode: Mode, jobs: usize, text: &str) -> String {
    let engine = engine(host, jobs);
    match program(&engine, text) {
        Ok(program) => print_run(&engine, &program, mode),
        Err(transcript) => transcript,
    }
}
