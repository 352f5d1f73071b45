//! Outputs: values that the whole configuration tells.

use uphold_model::{Diagnostic, Diagnostics, Name, Output, Scope, Value};
use uphold_resource::ErrorKind;

use crate::event::Mode;
use crate::failure::Failure;

/// Checks that every output can be evaluated, as far as that is known before the run.
pub(crate) fn check_outputs(outputs: &[Output], scope: &dyn Scope, diagnostics: &mut Diagnostics) {
    diagnostics.extend(outputs.iter().filter_map(|output| output.value.evaluate(scope).err()));
}

/// What an output came to at the end of a run.
pub(crate) struct Told {
    pub(crate) name: Name,
    pub(crate) value: Result<Value, Failure>,
}

/// Evaluates all outputs, in written order. `complete` says that everything was visited, and well:
/// then nothing is left unknown.
pub(crate) fn tell<'a>(
    outputs: &'a [Output],
    scope: &'a dyn Scope,
    mode: Mode,
    complete: bool,
) -> impl Iterator<Item = Told> + 'a {
    outputs.iter().map(move |output| {
        let value = output.value.evaluate(scope).map_err(|diagnostic| failed(&diagnostic, output));
        let value = value.and_then(|value| match value.first_unknown() {
            Some(unknown) if complete && mode == Mode::Apply => Err(never_known(&unknown.waits_for, output)),
            _ => Ok(value),
        });
        Told { name: output.name.clone(), value }
    })
}

fn failed(diagnostic: &Diagnostic, output: &Output) -> Failure {
    Failure::from_diagnostic(diagnostic, output.place)
}

fn never_known(waits_for: &str, output: &Output) -> Failure {
    let message = format!("{waits_for} is not known, although everything is done");
    Failure { place: output.place, ..Failure::new(ErrorKind::Failed, message) }
}
