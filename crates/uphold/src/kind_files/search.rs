//! Finding the files that define kinds.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use uphold_host::{ConfigurationFiles, check_trusted};
use uphold_model::{Code, Diagnostic, Diagnostics};
use uphold_resource::{Error, ErrorKind, Result, UnusableKind};

use super::kind_file::{KindFile, expected_kind, is_kind_file};
use super::sources::KindSources;
use crate::input_log::{Input, InputLog, digest, digest_of_kinds};
use crate::overlay::Overlay;

/// The directory beside a configuration or a module.
const BESIDE: &str = "kinds";

/// Directories of kinds for all configurations, with colons between them.
const VARIABLE: &str = "UPHOLD_KINDS_PATH";

/// Looks into directories, each once, and notes what it has read.
pub(crate) struct KindSearch {
    files: Arc<ConfigurationFiles>,
    overlay: Arc<Overlay>,
    log: Option<Arc<InputLog>>,
    searched: BTreeSet<PathBuf>,
    /// What was found, in the order in which it was looked for.
    pub(super) found: Vec<KindFile>,
    /// The kinds of files that others can have written, which are left out.
    pub(super) refused: Vec<(String, UnusableKind)>,
    /// What could not be read, or is left out.
    pub(super) diagnostics: Diagnostics,
}

impl KindSearch {
    pub(crate) fn new(files: Arc<ConfigurationFiles>, overlay: Arc<Overlay>) -> Self {
        let (searched, found, refused, diagnostics) = Default::default();
        Self { files, overlay, log: None, searched, found, refused, diagnostics }
    }

    /// The same; what is read is noted.
    pub(crate) fn logged(self, log: Option<Arc<InputLog>>) -> Self {
        Self { log, ..self }
    }

    /// In the directories that somebody named, which must be there, and in those of the environment.
    pub(crate) fn in_named(&mut self, sources: &KindSources) {
        for directory in sources.directories() {
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

    /// In the directory `kinds` of a directory with configuration; there need not be one.
    pub(crate) fn beside(&mut self, directory: &Path) {
        let plain: PathBuf = directory.components().filter(|part| *part != Component::CurDir).collect();
        self.in_directory(&plain.join(BESIDE), false);
    }

    /// The kinds that scripts define, as far as they were found.
    pub(crate) fn script_kinds(&self) -> impl Iterator<Item = &str> {
        self.found.iter().filter_map(KindFile::script_kind)
    }

    fn in_directory(&mut self, directory: &Path, required: bool) {
        // Only a missing current directory is in the way, and then nothing relative can be read.
        let place = self.files.on_disk(directory).unwrap_or_else(|_| directory.to_owned());
        // All that is in an archive is at one place on the disk.
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
                self.leave_out(directory, &names, &error, required);
            }
            return;
        }
        for name in names {
            let path = directory.join(name);
            let on_disk = if is_archived { place.clone() } else { place.join(name) };
            let is_open = self.overlay.text(&path).is_some();
            match check_trusted(&on_disk).or_else(missing_is_fine) {
                Err(error) if !is_open => self.leave_out(&path, &[name], &error, required),
                _ => self.read(&path, &place),
            }
        }
    }

    /// Notes that files are not used because others can have written them. Whoever named their directory has to know;
    /// whoever works beside it may not care, and gets the reason when a block uses such a kind.
    fn leave_out(&mut self, path: &Path, names: &[&String], error: &Error, required: bool) {
        let fix = error.advice().unwrap_or("keep kinds where only you and root can write").to_owned();
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
                self.found.push(KindFile { name, directory: place.to_owned(), text });
            }
            Err(error) => self.unreadable(path, &error),
        }
    }

    fn text(&self, path: &Path) -> Result<String> {
        if let Some(text) = self.overlay.text(path) {
            return Ok(text.to_owned());
        }
        let content = self.files.read(path)?;
        let text = String::from_utf8(content);
        let text = text.map_err(|_| Error::new(ErrorKind::Invalid, "it is not UTF-8"))?;
        // A byte order mark is no part of it.
        Ok(text.trim_start_matches('\u{feff}').to_owned())
    }

    fn unreadable(&mut self, path: &Path, error: &Error) {
        let detail = format!("{}: {}", path.display(), error.chain());
        let fix = "name a directory with files of kinds that can be read";
        self.diagnostics.push(Diagnostic::new(Code::KindsNotRead, detail).fix(fix));
    }
}

/// A text of an editor may be in a directory that is not there yet. Otherwise, reading it will fail.
fn missing_is_fine(error: Error) -> Result<()> {
    if error.kind() == ErrorKind::Missing { Ok(()) } else { Err(error) }
}
