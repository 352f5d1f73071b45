//! Outputs: values that a configuration reports.

use rustc_hash::FxHashSet;
use uphold_model::{Code, Diagnostics, Name, Output, Reference, Scope, Value};

use crate::failure::Failure;
use crate::visit::Visits;

/// Checks that every output can be evaluated, as far as that is known before the run.
pub(crate) fn check_outputs(outputs: &[Output], scope: &dyn Scope, diagnostics: &mut Diagnostics) {
    diagnostics.extend(outputs.iter().filter_map(|output| output.value.evaluate(scope).err()));
}

/// The value of an output at the end of a run.
pub(crate) struct OutputValue {
    pub(crate) name: Name,
    pub(crate) value: Result<Value, Failure>,
}

/// Evaluates all outputs, in written order, without those that read a resource outside the selection. A value that stays
/// unknown is no failure of its own: the resource that it reads failed, was only audited or has not run.
pub(crate) fn output_values<'a>(visits: &'a Visits<'a>) -> impl Iterator<Item = OutputValue> + 'a {
    let selected = selected(visits);
    visits.program.outputs.iter().zip(selected).filter(|(_, selected)| *selected).map(|(output, _)| {
        let value = match output.value.evaluate(&visits.scope()) {
            Err(diagnostic) if diagnostic.code == Code::ValueUnknown => Ok(Value::unknown(diagnostic.detail)),
            value => value.map_err(|diagnostic| Failure::from_diagnostic(&diagnostic, output.place)),
        };
        OutputValue { name: output.name.clone(), value }
    })
}

/// The outputs that read a resource outside the selection.
pub(crate) fn left_out<'a>(visits: &Visits<'a>) -> impl Iterator<Item = &'a Name> {
    let outputs = visits.program.outputs.iter().zip(selected(visits));
    outputs.filter(|(_, selected)| !selected).map(|(output, _)| &output.name)
}

/// For each output, whether every resource whose value it reads has an action that is run.
fn selected(visits: &Visits<'_>) -> Vec<bool> {
    let (program, request) = (visits.program, &visits.request);
    if request.selection.is_none() {
        return vec![true; program.outputs.len()];
    }
    let run = (0..).zip(program.list.all()).filter(|(node, _)| request.selects(*node));
    let run: FxHashSet<_> = run.map(|(_, entry)| entry.resource).collect();
    let is_run = |read: &Reference| program.set.find(&read.target).is_none_or(|found| run.contains(&found));
    let reads =
        |output: &Output| output.value.references().iter().all(|read| read.path.is_empty() || is_run(read));
    program.outputs.iter().map(reads).collect()
}
