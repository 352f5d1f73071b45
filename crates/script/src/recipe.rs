//! A recipe: a file that is the body of an action, run as a whole.

use std::sync::Arc;

use uphold_model::{
    Action, Code, Declaration, Diagnostic, Diagnostics, Few, Map, Meta, ResourceId, Statement, Trigger,
};
use uphold_resource::Registry;

use crate::define::wrong;
use crate::kind::ScriptedKind;
use crate::script::Script;
use crate::script_file::ScriptFile;

/// Adds the kind whose only action a recipe is, and gives the statements that run it. `params` are those of the
/// configuration that it is given with.
///
/// # Errors
/// If the text is no Luau.
pub fn recipe(
    file: &ScriptFile<'_>,
    params: Map,
    kinds: &mut Registry,
) -> Result<Vec<Statement>, Diagnostics> {
    let kind = free_name(kinds);
    let script = Script::compile(file, &kind, true, None);
    let made = script.and_then(|script| ScriptedKind::new(Arc::new(script), params));
    let made = made.map_err(|error| Diagnostics::from(wrong(file, &error)))?;
    kinds.define(Arc::new(made)).map_err(|error| {
        Diagnostics::from(Diagnostic::new(Code::InvalidKind, error.to_string()).at(file.line(1)))
    })?;
    kinds.note_file(&kind, file.name);
    let id = ResourceId::new(kind, file.name);
    let place = file.line(1);
    let declaration =
        Declaration { id: id.clone(), place, attributes: Box::default(), meta: Meta::default() };
    let trigger = Trigger { id, action: Action::Converge, place, depends_on: Few::default(), when: None };
    Ok(vec![Statement::Declare(declaration), Statement::Trigger(trigger)])
}

/// Each recipe is a kind of its own, of which there is one resource.
fn free_name(kinds: &Registry) -> String {
    let names = std::iter::once("recipe".to_owned()).chain((2..).map(|number| format!("recipe_{number}")));
    let mut free = names.filter(|name| kinds.get(name).is_none());
    free.next().unwrap_or_else(|| unreachable!("there is always another number"))
}
