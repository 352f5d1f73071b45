//! A configuration, checked for a run.

use uphold_engine::{Engine, Keep, Program};
use uphold_model::{Diagnostics, Sources};

use crate::configuration::Configuration;

/// Checks a configuration to be watched; the program is there if it has no errors.
pub(crate) fn checked(
    engine: &Engine,
    configuration: Configuration,
) -> (Option<Program>, Diagnostics, Sources) {
    let Configuration { sources, statements, kinds, mut diagnostics, .. } = configuration;
    let (program, found) = engine.with_kinds(kinds).check(statements, Keep::ForWatch);
    diagnostics.extend(found);
    let program = program.filter(|_| !diagnostics.has_errors());
    (program, diagnostics, sources)
}
