//! A file that defines a kind.

use std::path::Path;

use uphold_model::{Diagnostic, SourceId};

/// The end of scripts.
const SCRIPT: &str = ".luau";

/// The end of files that describe types to editors, and define nothing.
const TYPES: &str = ".d.luau";

/// A file that defines kinds, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KindFile {
    /// Its path, as people are told about it.
    pub(crate) name: String,
    pub(crate) text: String,
}

impl KindFile {
    /// The kind that a script defines: a script is called like its kind.
    pub(super) fn script_kind(&self) -> Option<&str> {
        Path::new(&self.name).file_name()?.to_str()?.strip_suffix(SCRIPT)
    }
}

/// Whether a file of this name defines kinds: a script or a manifest that is not hidden.
pub(crate) fn is_kind_file(name: &str) -> bool {
    !name.starts_with('.') && is_script(name)
}

/// Whether this is a script, and no description of types.
pub(crate) fn is_script(name: &str) -> bool {
    name.ends_with(SCRIPT) && !name.ends_with(TYPES)
}

/// Two kinds cannot have one name; `before` says where the other one is.
pub(super) fn taken(kind: &str, before: Option<&str>, file: &str, source: SourceId) -> Diagnostic {
    let other = before.map_or("it is one of those that ship".to_owned(), |path| format!("{path} defines it"));
    let detail = format!("{file} defines the kind `{kind}`, but {other} already");
    let start = uphold_model::Place { source, start: 0, end: 0 };
    Diagnostic::error("duplicate kind", detail).at(start).fix("give one of them another name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_a_file_is() {
        let check = |name: &str, expected: bool| assert_eq!(is_kind_file(name), expected, "{name}");
        check("greeting.luau", true);
        check("uphold.d.luau", false);
        check(".greeting.luau", false);
        check("greeting.lua", false);
        check("greeting.luau~", false);
        check("greeting/", false);
        check("README.md", false);
    }
}
