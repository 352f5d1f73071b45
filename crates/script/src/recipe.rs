//! A recipe: a file that is the body of an action, run as a whole.

use std::path::Path;
use std::sync::Arc;

use uphold_model::{
    Action, Declaration, Diagnostics, Map, Meta, ResourceId, Statement, Trigger, is_identifier,
};
use uphold_resource::Definition;

use crate::define::{as_definition, wrong};
use crate::kind::ScriptedKind;
use crate::script::Script;
use crate::script_file::ScriptFile;

/// A recipe: the kind whose only action it is, to be added to the kinds of this configuration, and the statements that
/// run it. `params` are those of the configuration that it is given with.
///
/// # Errors
/// If the text is no Luau.
pub fn recipe(
    file: &ScriptFile<'_>,
    params: Map,
) -> Result<(Arc<dyn Definition>, Vec<Statement>), Diagnostics> {
    let kind = kind_name(file.name);
    let script = Script::compile(file, &kind, true, None);
    let made = script.and_then(|script| ScriptedKind::new(Arc::new(script), params));
    let made = made.map_err(|error| Diagnostics::from(wrong(file, &error)))?;
    let id = ResourceId::new(kind, file.name);
    let place = file.line(1);
    let declaration = Declaration { id: id.clone(), place, attributes: Vec::new(), meta: Meta::default() };
    let trigger = Trigger { id, action: Action::Converge, place, depends_on: Vec::new(), when: None };
    Ok((as_definition(made), vec![Statement::Declare(declaration), Statement::Trigger(trigger)]))
}

/// Each recipe is a kind of its own, of which there is one resource.
fn kind_name(file: &str) -> String {
    let stem = Path::new(file).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let stem: String = stem.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let name = format!("recipe_{stem}");
    if is_identifier(&name) { name } else { "recipe".to_owned() }
}
