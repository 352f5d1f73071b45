//! A script, compiled once for all threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mlua::chunk::Compiler;

use crate::script_file::{Library, ScriptFile};

/// A compiled script.
pub(crate) struct Script {
    /// Unique number, since two versions of a script can have the same name.
    pub(crate) number: u64,
    /// Its path, as shown in messages.
    pub(crate) name: String,
    /// The kind that it defines, or the kind of a recipe.
    pub(crate) kind: String,
    /// The source, for the excerpts and names in messages.
    text: String,
    pub(crate) bytecode: Vec<u8>,
    /// Whether it runs as a whole, instead of defining a kind.
    pub(crate) is_recipe: bool,
    /// The kind that it extends.
    pub(crate) parent: Option<Arc<Script>>,
    /// The files that it requires, and those that they require.
    pub(crate) libraries: Vec<Arc<Library>>,
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
        libraries: Vec<Arc<Library>>,
    ) -> Result<Self, mlua::Error> {
        let compiler = Compiler::new().set_optimization_level(1).set_debug_level(1);
        Ok(Self {
            number: COUNT.fetch_add(1, Ordering::Relaxed),
            name: file.name.to_owned(),
            kind: kind.to_owned(),
            text: file.text.to_owned(),
            bytecode: compiler.compile(file.text)?,
            is_recipe,
            parent,
            libraries,
        })
    }

    /// A line of this script, of a file that it requires, or of a script that it extends.
    pub(crate) fn line(&self, file: &str, line: usize) -> Option<&str> {
        if self.name == file {
            return self.text.lines().nth(line.checked_sub(1)?);
        }
        if let Some(library) = self.libraries.iter().find(|library| library.file == file) {
            return library.text.lines().nth(line.checked_sub(1)?);
        }
        self.parent.as_ref()?.line(file, line)
    }

    /// The line that defines a property in `properties = { … }`, in the format of Luau: `kinds/x.luau:3: `.
    pub(crate) fn place_in_table(&self, property: &str) -> Option<String> {
        let mut lines = self.text.lines().enumerate().skip_while(|(_, text)| !text.contains("properties"));
        let (at, _) = lines.find(|(_, text)| sets(text, property))?;
        Some(format!("{}:{}: ", self.name, at + 1))
    }
}

/// Whether a line of a table sets this field: `mode = …`.
fn sets(text: &str, field: &str) -> bool {
    words(text).any(|(at, word)| word == field && text[at + word.len()..].trim_start().starts_with('='))
}

/// The words of a line, with their offsets.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].find(is_part)?;
        let start = at;
        at += text[at..].find(|letter| !is_part(letter)).unwrap_or(text.len() - at);
        Some((start, &text[start..at]))
    })
}
