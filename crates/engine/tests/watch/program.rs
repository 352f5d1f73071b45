//! Configurations as text.

use std::sync::Arc;

use uphold_config::Reader;
use uphold_engine::{Engine, Keep, Program};
use uphold_model::Sources;

use crate::engine::nothing::Nothing;

/// Checks a configuration.
///
/// # Panics
/// If it is invalid.
#[track_caller]
pub(crate) fn program(engine: &Engine, text: &str) -> Arc<Program> {
    let mut sources = Sources::default();
    let id = sources.add("a.hcl", text);
    let reading = Reader::new(Arc::new(Nothing)).read(&mut sources, &[id]);
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    let (program, diagnostics) = engine.check(reading.statements, Keep::All);
    Arc::new(program.unwrap_or_else(|| panic!("{diagnostics:?}")))
}
