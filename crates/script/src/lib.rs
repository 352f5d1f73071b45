//! Kinds and recipes in Luau.
//!
//! A script reaches the machine only through [`Host`](uphold_resource::Host), and only its reading half where something is
//! looked at. A scripted kind is a [`Definition`](uphold_resource::Definition): for the engine, a kind like any other.

mod script_file;

pub use script_file::ScriptFile;

use std::sync::Arc;

use uphold_model::{Diagnostics, Map, Statement};
use uphold_resource::{Definition, Registry};

/// Adds the kinds that these files define; the name of a kind is that of its file. They may extend each other, in any order.
pub fn define(files: &[ScriptFile<'_>], registry: &mut Registry) -> Diagnostics {
    let _ = (files, registry);
    Diagnostics::default()
}

/// A recipe: the kind whose only action it is, to be added to the kinds of this configuration, and the statements that
/// run it. `params` are those of the configuration that it is given with.
pub fn recipe(
    file: &ScriptFile<'_>,
    params: Map,
) -> Result<(Arc<dyn Definition>, Vec<Statement>), Diagnostics> {
    let _ = (file, params);
    Err(Diagnostics::default())
}

/// What editors need to complete and check scripts: a Luau definition file, with a function for each kind.
pub fn definitions(registry: &Registry) -> String {
    let _ = registry;
    String::new()
}
