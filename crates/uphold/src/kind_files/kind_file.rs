//! A file that defines a kind.

use std::path::{Path, PathBuf};

use uphold_external::{is_manifest, manifest_kind};

/// The end of scripts.
const SCRIPT: &str = ".luau";

/// The end of files that describe types to editors, and define nothing.
const TYPES: &str = ".d.luau";

/// A file that defines kinds, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KindFile {
    /// Its path, as people are told about it.
    pub(crate) name: String,
    /// Where it lies on the disk: a program beside a manifest is found from there.
    pub(crate) directory: PathBuf,
    pub(crate) text: String,
}

impl KindFile {
    /// The kind that a script defines: a script is called like its kind.
    pub(super) fn script_kind(&self) -> Option<&str> {
        self.file_name().strip_suffix(SCRIPT)
    }

    pub(super) fn is_manifest(&self) -> bool {
        is_manifest(self.file_name())
    }

    /// Its path on the disk.
    pub(super) fn place(&self) -> PathBuf {
        self.directory.join(self.file_name())
    }

    fn file_name(&self) -> &str {
        Path::new(&self.name).file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }
}

/// The kind that a file of this name is expected to define, without reading it.
pub(super) fn expected_kind(name: &str) -> Option<String> {
    name.strip_suffix(SCRIPT).map(str::to_owned).or_else(|| manifest_kind(name))
}

/// Whether a file of this name defines kinds: a script or a manifest that is not hidden.
pub(crate) fn is_kind_file(name: &str) -> bool {
    !name.starts_with('.') && (is_script(name) || is_manifest(name))
}

/// Whether this is a script, and no description of types.
pub(crate) fn is_script(name: &str) -> bool {
    name.ends_with(SCRIPT) && !name.ends_with(TYPES)
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
        check("greeting.dsc.resource.json", true);
        check("greeting.dsc.manifests.yaml", true);
        check("greeting.json", false);
        check("greeting.luau~", false);
        check("greeting/", false);
        check("README.md", false);
    }
}
