//! The files that scripts can require, and which of them a script uses.

use std::collections::BTreeMap;
use std::sync::Arc;

use uphold_model::{Code, Diagnostic, Diagnostics};

use crate::diagnostic::diagnostics;
use crate::failure::ScriptErrors;
use crate::library::{Library, library_path, plain_name, required};
use crate::script_file::ScriptFile;

/// The files that scripts can require, by path.
pub(crate) struct Libraries<'a> {
    files: BTreeMap<&'a str, &'a ScriptFile<'a>>,
}

impl<'a> Libraries<'a> {
    pub(crate) fn new(files: &'a [ScriptFile<'a>]) -> Self {
        Self { files: files.iter().map(|file| (file.name, file)).collect() }
    }

    /// All files that a script requires, directly or through another one. Names are relative to the folder of the kind.
    pub(crate) fn of(&self, kind: &ScriptFile<'_>) -> Result<Vec<Arc<Library>>, Diagnostics> {
        let mut found: Vec<Arc<Library>> = Vec::new();
        let mut problems = Diagnostics::default();
        let mut to_read: Vec<ScriptFile<'_>> = vec![*kind];
        while let Some(file) = to_read.pop() {
            for (line, name) in required(file.text) {
                if found.iter().any(|library| library.name == plain_name(name)) {
                    continue;
                }
                match self.library(kind, &file, line, name) {
                    Ok((library, next)) => {
                        found.push(library);
                        to_read.push(*next);
                    }
                    Err(problem) => problems.extend(problem),
                }
            }
        }
        found.sort_by(|one, other| one.name.cmp(&other.name));
        if problems.is_empty() { Ok(found) } else { Err(problems) }
    }

    fn library(
        &self,
        kind: &ScriptFile<'_>,
        file: &ScriptFile<'_>,
        line: usize,
        name: &str,
    ) -> Result<(Arc<Library>, &'a ScriptFile<'a>), Diagnostics> {
        let refuse = |detail: String| Diagnostic::new(Code::InvalidKind, detail).at(file.line(line));
        let path = library_path(kind.name, name).map_err(refuse)?;
        let Some(found) = self.files.get(path.as_str()) else {
            let problem =
                refuse(format!("`{name}` cannot be required: {path} does not exist, or is refused"));
            return Err(problem.fix("create the file; it must belong to you or root").into());
        };
        let library = Library::compile(plain_name(name), found);
        let library = library.map_err(|error| diagnostics(found, &ScriptErrors::from(error)))?;
        Ok((Arc::new(library), found))
    }
}
