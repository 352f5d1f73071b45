//! The function `require` of a kind.

use mlua::chunk::ChunkMode;
use mlua::{Function, Table};

use super::script::Script;
use crate::interpreter::Interpreter;

/// The function `require` of a script. A file runs at its first use; its result is kept.
pub(crate) fn require(interpreter: &Interpreter, script: &Script) -> mlua::Result<Function> {
    let (lua, prelude) = (&interpreter.lua, interpreter.prelude());
    let libraries = lua.create_table()?;
    let mut environments: Vec<Table> = Vec::new();
    for library in &script.libraries {
        let own: Table = prelude.library_environment.call(())?;
        let chunk = lua.load(&library.bytecode[..]).set_name(format!("={}", library.file));
        let chunk = chunk.set_mode(ChunkMode::Binary).set_environment(own.clone());
        libraries.raw_set(library.name.as_str(), chunk.into_function()?)?;
        environments.push(own);
    }
    let require: Function = prelude.require_from.call(libraries)?;
    environments.iter().try_for_each(|own| own.raw_set("require", &require))?;
    Ok(require)
}
