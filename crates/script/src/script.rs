//! A script, compiled once for all threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mlua::chunk::Compiler;

use crate::script_file::ScriptFile;

/// A text in Luau as it is run.
pub(crate) struct Script {
    /// Tells scripts apart, whatever they are called.
    pub(crate) number: u64,
    /// Its path, as people are told about it.
    pub(crate) name: String,
    /// The kind that it defines, or what a recipe is called.
    pub(crate) kind: String,
    pub(crate) bytecode: Vec<u8>,
    /// Whether it is run as a whole, instead of defining a kind.
    pub(crate) is_recipe: bool,
    /// The kind that it extends.
    pub(crate) parent: Option<Arc<Script>>,
}

static COUNT: AtomicU64 = AtomicU64::new(0);

impl Script {
    /// Compiles a script.
    ///
    /// # Errors
    /// What Luau says about the text, with the line.
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
