//! Finds the files that define kinds.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use uphold_external::{is_manifest, manifest_kind};
use uphold_host::{ConfigurationFiles, check_trusted, check_trusted_below};
use uphold_model::{Code, Diagnostic, Diagnostics};
use uphold_resource::{Error, ErrorKind, Result, UnusableKind};

use super::sources::KindSources;
use crate::input_log::{Input, InputLog, digest, digest_of_kinds};
use crate::luau;
use crate::surroundings::Overlay;

/// The directory of kinds beside a configuration or a module.
const BESIDE: &str = "kinds";

/// Directories of kinds for all configurations, separated by colons.
const VARIABLE: &str = "UPHOLD_KINDS_PATH";

/// Searches directories, each once, and records its inputs.
pub(crate) struct KindSearch {
    files: Arc<ConfigurationFiles>,
    overlay: Arc<Overlay>,
    pub(crate) log: Option<Arc<InputLog>>,
    searched: BTreeSet<PathBuf>,
    /// The found files, in search order.
    pub(super) found: Vec<KindFile>,
    /// The kinds of untrusted files, which are ignored.
    pub(super) refused: Vec<(String, UnusableKind)>,
    /// Errors and warnings about files that are ignored.
    pub(super) diagnostics: Diagnostics,
}

impl KindSearch {
    pub(crate) fn new(files: Arc<ConfigurationFiles>, overlay: Arc<Overlay>) -> Self {
        let (searched, found, refused, diagnostics) = Default::default();
        Self { files, overlay, log: None, searched, found, refused, diagnostics }
    }

    /// Searches the named directories, which must exist, and those of the environment.
    pub(crate) fn in_named(&mut self, sources: &KindSources) {
        for directory in &sources.directories {
            self.in_directory(directory, true);
        }
        let Some(variable) = uphold_host::environment(VARIABLE) else { return };
        if let Some(log) = &self.log {
            log.note(Input::Variable(VARIABLE.to_owned()), || digest(Some(variable.as_bytes())));
        }
        for directory in variable.split(':').filter(|path| !path.is_empty()) {
            self.in_directory(Path::new(directory), false);
        }
    }

    /// Searches the directory `kinds` of a configuration directory, if it exists.
    pub(crate) fn beside(&mut self, directory: &Path) {
        let plain: PathBuf = directory.components().filter(|part| *part != Component::CurDir).collect();
        self.in_directory(&plain.join(BESIDE), false);
    }

    /// The kinds of the found scripts.
    pub(crate) fn script_kinds(&self) -> impl Iterator<Item = &str> {
        self.found.iter().filter_map(KindFile::script_kind)
    }

    fn in_directory(&mut self, directory: &Path, required: bool) {
        // This fails only without a current directory, and then no relative path can be read.
        let place = self.files.on_disk(directory).unwrap_or_else(|_| directory.to_owned());
        // All files of an archive have one path on the disk.
        let is_archived = place.file_name() != directory.file_name();
        if !self.searched.insert(if is_archived { directory.to_owned() } else { place.clone() }) {
            return;
        }
        let names = self.overlay.list(directory, &self.files);
        if let Some(log) = &self.log {
            log.note(Input::Kinds(directory.to_owned()), || digest_of_kinds(names.as_ref().ok().cloned()));
        }
        let names = match names {
            Ok(names) => names,
            Err(error) if error.kind() == ErrorKind::Missing && !required => return,
            Err(error) => return self.unreadable(directory, &error),
        };
        let names: Vec<&String> = names.iter().filter(|name| is_kind_file(name)).collect();
        if let Err(error) = check_trusted(&place).or_else(missing_is_fine) {
            if required || !names.is_empty() {
                self.ignore(directory, &names, &error, required);
            }
            return;
        }
        for name in names {
            let path = directory.join(name);
            let on_disk = if is_archived { place.clone() } else { place.join(name) };
            let is_open = self.overlay.text(&path).is_some();
            match check_trusted(&on_disk).or_else(missing_is_fine) {
                Err(error) if !is_open => self.ignore(&path, &[name], &error, required),
                _ => self.read(&path, &place),
            }
        }
    }

    /// Ignores untrusted files: an error in a named directory, else a warning, and an error where such a kind is used.
    fn ignore(&mut self, path: &Path, names: &[&String], error: &Error, required: bool) {
        let fix = error
            .advice()
            .unwrap_or("move the kinds to a directory that only you and root can write")
            .to_owned();
        let code = if required { Code::KindsNotTrusted } else { Code::IgnoredKinds };
        let detail = format!("{}: {}", path.display(), error.chain());
        self.diagnostics.push(Diagnostic::new(code, detail).fix(fix.clone()));
        for kind in names.iter().filter_map(|name| expected_kind(name)) {
            self.refused.push((kind, UnusableKind { reason: error.chain(), fix: fix.clone() }));
        }
    }

    fn read(&mut self, path: &Path, place: &Path) {
        match self.text(path) {
            Ok(text) => {
                let name = path.display().to_string();
                if let Some(log) = &self.log {
                    log.note(Input::Text(name.clone()), || digest(Some(text.as_bytes())));
                }
                let file = KindFile { name, directory: place.to_owned(), text, is_library: false };
                self.read_required(&file, place);
                self.found.push(file);
            }
            Err(error) => self.unreadable(path, &error),
        }
    }

    /// Reads the files that a script requires, and those that they require. A missing one is an error of the script.
    fn read_required(&mut self, kind: &KindFile, place: &Path) {
        if kind.script_kind().is_none() {
            return;
        }
        let mut texts = vec![kind.text.clone()];
        while let Some(text) = texts.pop() {
            for (_, name) in luau::required(&text) {
                let Ok(path) = luau::library_path(&kind.name, name) else { continue };
                if self.found.iter().any(|file| file.name == path) {
                    continue;
                }
                let file = self.library(Path::new(&path), place);
                if let Some(log) = &self.log {
                    let content = file.as_ref().map(|file| file.text.as_bytes());
                    log.note(Input::Text(path.clone()), || digest(content));
                }
                if let Some(file) = file {
                    texts.push(file.text.clone());
                    self.found.push(file);
                }
            }
        }
    }

    /// A file below the directory of the kinds. The same users as for kinds can have written it, and no link leads out.
    fn library(&mut self, path: &Path, place: &Path) -> Option<KindFile> {
        let on_disk = self.files.on_disk(path).unwrap_or_else(|_| path.to_owned());
        // All files of an archive have the path of the archive.
        let is_archived = on_disk.file_name() != path.file_name();
        let is_open = self.overlay.text(path).is_some();
        let trusted =
            if is_archived { check_trusted(&on_disk) } else { check_trusted_below(place, &on_disk) };
        match trusted {
            Err(error) if error.kind() == ErrorKind::Missing && !is_open => return None,
            Err(error) if !is_open => {
                self.ignore(path, &[], &error, false);
                return None;
            }
            _ => {}
        }
        match self.text(path) {
            Ok(text) => {
                let name = path.display().to_string();
                Some(KindFile { name, directory: place.to_owned(), text, is_library: true })
            }
            Err(error) => {
                self.unreadable(path, &error);
                None
            }
        }
    }

    fn text(&self, path: &Path) -> Result<String> {
        if let Some(text) = self.overlay.text(path) {
            return Ok(text.to_owned());
        }
        let text = self.files.read_source(path)?;
        let text = text.ok_or_else(|| Error::new(ErrorKind::Invalid, "it is not UTF-8"))?;
        // Without a byte order mark.
        Ok(text.trim_start_matches('\u{feff}').to_owned())
    }

    fn unreadable(&mut self, path: &Path, error: &Error) {
        let detail = format!("{}: {}", path.display(), error.chain());
        let fix = "name a directory with readable kind files";
        self.diagnostics.push(Diagnostic::new(Code::KindsNotRead, detail).fix(fix));
    }
}

/// An unsaved text may be in a directory that does not exist yet. Otherwise, reading fails.
fn missing_is_fine(error: Error) -> Result<()> {
    if error.kind() == ErrorKind::Missing { Ok(()) } else { Err(error) }
}

/// The extension of scripts.
const SCRIPT: &str = ".luau";

/// The extension of type definitions for editors, which define no kind.
const TYPES: &str = ".d.luau";

/// A file that defines kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KindFile {
    /// Its path, for messages.
    pub(crate) name: String,
    /// Its directory on the disk: programs of manifests are relative to it.
    pub(crate) directory: PathBuf,
    pub(crate) text: String,
    /// Whether it defines no kind: scripts require it.
    pub(crate) is_library: bool,
}

impl KindFile {
    /// The kind of a script, by its file name.
    pub(super) fn script_kind(&self) -> Option<&str> {
        self.file_name().strip_suffix(SCRIPT).filter(|_| !self.is_library)
    }

    pub(super) fn is_manifest(&self) -> bool {
        is_manifest(self.file_name())
    }

    /// Its path on the disk.
    pub(super) fn path(&self) -> PathBuf {
        self.directory.join(self.file_name())
    }

    fn file_name(&self) -> &str {
        Path::new(&self.name).file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }
}

/// The kind of a file, by its name.
fn expected_kind(name: &str) -> Option<String> {
    name.strip_suffix(SCRIPT).map(str::to_owned).or_else(|| manifest_kind(name))
}

/// Whether this is the name of a script or manifest, and not hidden.
pub(crate) fn is_kind_file(name: &str) -> bool {
    !name.starts_with('.') && (is_script(name) || is_manifest(name))
}

/// Whether this is the name of a script, and not of type definitions.
pub(crate) fn is_script(name: &str) -> bool {
    name.ends_with(SCRIPT) && !name.ends_with(TYPES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kind_files_are_recognized_by_name() {
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
