//! A build without Luau: scripts are found, and rejected where they are used.

use uphold_model::{Code, Diagnostic, Diagnostics, Map, Place, SourceId, Statement};
use uphold_resource::{Registry, UnusableKind};

const REASON: &str = "this program was built without Luau";
const FIX: &str = "use a build with the feature `luau`";

/// A script file, as in `uphold-script`.
#[derive(Clone, Copy)]
pub(crate) struct ScriptFile<'a> {
    pub(crate) name: &'a str,
    pub(crate) source: SourceId,
    #[expect(dead_code, reason = "only Luau reads it")]
    pub(crate) text: &'a str,
}

/// Marks the kinds of these files as unusable: a configuration that does not use them is valid.
pub(crate) fn define(files: &[ScriptFile<'_>], _: &[ScriptFile<'_>], kinds: &mut Registry) -> Diagnostics {
    for file in files {
        let kind = std::path::Path::new(file.name).file_stem().and_then(|stem| stem.to_str());
        let reason = UnusableKind { reason: REASON.to_owned(), fix: FIX.to_owned() };
        kinds.note_unusable(kind.unwrap_or_default(), reason);
    }
    Diagnostics::default()
}

/// Files that a script requires are not read.
pub(crate) fn required(_: &str) -> impl Iterator<Item = (usize, &str)> {
    std::iter::empty()
}

/// Files that a script requires are not read.
pub(crate) fn library_path(_: &str, name: &str) -> Result<String, String> {
    Err(name.to_owned())
}

/// Rejects a recipe.
pub(crate) fn recipe(file: &ScriptFile<'_>, _: Map, _: &mut Registry) -> Result<Vec<Statement>, Diagnostics> {
    let start = Place { source: file.source, start: 0, end: 0 };
    Err(Diagnostic::new(Code::UnusableKind, REASON).at(Some(start)).fix(FIX).into())
}
