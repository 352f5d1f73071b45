//! A configuration, checked for a run.

use uphold_engine::{Engine, NOT_IN_FORCE, Program};
use uphold_model::{Diagnostic, Diagnostics, Severity, Sources};

use crate::configuration::Configuration;

/// Checks a configuration that is to be held; the program is there if it has no errors. What a run would ignore is one.
pub(crate) fn checked(
    engine: &Engine,
    configuration: Configuration,
) -> (Option<Program>, Diagnostics, Sources) {
    let Configuration { sources, statements, kinds, mut diagnostics, .. } = configuration;
    let (program, found) = engine.with_kinds(kinds).check_to_hold(statements);
    diagnostics.extend(found);
    let program = program.filter(|_| !diagnostics.has_errors());
    let (program, diagnostics) = for_a_run(program, diagnostics);
    (program, diagnostics, sources)
}

/// The same for a run: what it would ignore is an error.
pub fn for_a_run(program: Option<Program>, diagnostics: Diagnostics) -> (Option<Program>, Diagnostics) {
    match program {
        Some(program) if program.not_in_force() => (None, raised(diagnostics)),
        program => (program, diagnostics),
    }
}

/// The warnings about what is not in force as errors.
fn raised(diagnostics: Diagnostics) -> Diagnostics {
    let raise = |diagnostic: Diagnostic| match diagnostic.summary {
        NOT_IN_FORCE => Diagnostic { severity: Severity::Error, ..diagnostic },
        _ => diagnostic,
    };
    let mut raised = Diagnostics::default();
    raised.extend(diagnostics.into_iter().map(raise));
    raised
}
