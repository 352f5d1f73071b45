//! A recipe: a script that runs as a whole, as the body of an action.

use std::sync::Arc;

use uphold_model::{
    Action, Code, Declaration, Diagnostic, Diagnostics, Map, Meta, ResourceId, Statement, ThinVec, Trigger,
};
use uphold_resource::Registry;

use crate::diagnostic::diagnostics;
use crate::failure::ScriptErrors;
use crate::kind::ScriptedKind;
use crate::script::Script;
use crate::script_file::ScriptFile;

/// Adds a kind whose only action is the recipe, and returns the statements that run it. `params` are those of the
/// configuration that is passed with the recipe.
///
/// # Errors
/// If the text is not valid Luau.
pub fn recipe(
    file: &ScriptFile<'_>,
    params: Map,
    kinds: &mut Registry,
) -> Result<Vec<Statement>, Diagnostics> {
    let kind = free_name(kinds);
    let script = Script::compile(file, &kind, true, None, Vec::new());
    let made =
        script.map_err(ScriptErrors::from).and_then(|script| ScriptedKind::new(Arc::new(script), params));
    let made = made.map_err(|errors| diagnostics(file, &errors))?;
    kinds.define(Arc::new(made)).map_err(|error| {
        Diagnostics::from(Diagnostic::new(Code::InvalidKind, error.to_string()).at(file.line(1)))
    })?;
    kinds.note_file(&kind, file.name);
    let id = ResourceId::new(kind, file.name);
    let place = file.line(1);
    let declaration =
        Declaration { id: id.clone(), place, attributes: Box::default(), meta: Meta::default() };
    let trigger = Trigger { id, action: Action::Converge, place, depends_on: ThinVec::default(), when: None };
    Ok(vec![Statement::Declare(declaration), Statement::Trigger(trigger)])
}

/// A free name for the kind of a recipe: each recipe is a kind with one resource.
fn free_name(kinds: &Registry) -> String {
    let names = std::iter::once("recipe".to_owned()).chain((2..).map(|number| format!("recipe_{number}")));
    let mut free = names.filter(|name| kinds.get(name).is_none());
    free.next().unwrap_or_else(|| unreachable!("there is always another number"))
}
