//! A script, compiled once for all threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mlua::chunk::Compiler;

use crate::script_file::ScriptFile;

/// A compiled script.
pub(crate) struct Script {
    /// Unique number, since two versions of a script can have the same name.
    pub(crate) number: u64,
    /// Its path, as shown in messages.
    pub(crate) name: String,
    /// The kind that it defines, or the kind of a recipe.
    pub(crate) kind: String,
    pub(crate) bytecode: Vec<u8>,
    /// Whether it runs as a whole, instead of defining a kind.
    pub(crate) is_recipe: bool,
    /// The kind that it extends.
    pub(crate) parent: Option<Arc<Script>>,
}

static COUNT: AtomicU64 = AtomicU64::new(0);

impl Script {
    /// Compiles a script.
    ///
    /// # Errors
    /// The syntax error that Luau reports, with the line.
    pub(crate) fn compile(
        file: &ScriptFile<'_>,
        kind: &str,
        is_recipe: bool,
        parent: Option<Arc<Script>>,
    ) -> Result<Self, mlua::Error> {
        let compiler = Compiler::new().set_optimization_level(1).set_debug_level(1);
        Ok(Self {
            number: COUNT.fetch_add(1, Ordering::Relaxed),
            name: file.name.to_owned(),
            kind: kind.to_owned(),
            bytecode: compiler.compile(file.text)?,
            is_recipe,
            parent,
        })
    }
}
