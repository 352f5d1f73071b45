//! The environment that expressions see: files, variables, facts and the time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use uphold_config::{Surroundings, is_configuration};
use uphold_host::ConfigurationFiles;
use uphold_model::{FactSchema, SourceText, Value};
use uphold_resource::{FACTS, Machine, Result};

use crate::input_log::{Digest, Input, InputLog, digest, digest_of_names, digest_of_time, digest_of_value};

/// Facts and the time of a host; files and the environment of this process, even if the host has another root.
pub(crate) struct LocalSurroundings {
    machine: Machine,
    files: Arc<ConfigurationFiles>,
    pub(crate) overlay: Arc<Overlay>,
    directory: PathBuf,
    pub(crate) began: SystemTime,
    pub(crate) log: Option<Arc<InputLog>>,
}

impl LocalSurroundings {
    /// The environment of a configuration for this host.
    ///
    /// # Errors
    /// If the current directory cannot be found.
    pub(crate) fn new(machine: Machine, files: Arc<ConfigurationFiles>) -> Result<Self> {
        let began = machine.clock.now();
        let directory = uphold_host::current_directory()?;
        Ok(Self { machine, files, overlay: Arc::default(), directory, began, log: None })
    }

    fn note(&self, input: Input, digest: impl FnOnce() -> Digest) {
        if let Some(log) = &self.log {
            log.note(input, digest);
        }
    }

    /// Reads a file in pieces, because it may be large.
    pub(crate) fn read_pieces(&self, path: &Path, take: &mut dyn FnMut(&[u8])) -> Result<()> {
        match self.overlay.text(path) {
            Some(text) => {
                take(text.as_bytes());
                Ok(())
            }
            None => self.files.read_pieces(path, take),
        }
    }
}

impl Surroundings for LocalSurroundings {
    fn read(&self, path: &Path) -> std::result::Result<Vec<u8>, String> {
        let read = match self.overlay.text(path) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.files.read(path).map_err(|error| error.chain()),
        };
        self.note(Input::File(path.to_owned()), || digest(read.as_deref().ok()));
        read
    }

    fn read_source(&self, path: &Path) -> std::result::Result<Option<SourceText>, String> {
        if self.log.is_some() || self.overlay.text(path).is_some() {
            return self.read(path).map(|content| String::from_utf8(content).ok().map(SourceText::from));
        }
        self.files.read_source(path).map_err(|error| error.chain())
    }

    fn list(&self, directory: &Path) -> std::result::Result<Vec<String>, String> {
        let place = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        let names = self.overlay.list(place, &self.files).map_err(|error| error.chain());
        self.note(Input::Names(directory.to_owned()), || digest_of_names(names.as_deref().ok()));
        names
    }

    fn variable(&self, name: &str) -> Option<String> {
        let value = uphold_host::environment(name);
        self.note(Input::Variable(name.to_owned()), || digest(value.as_ref().map(String::as_bytes)));
        value
    }

    fn current_directory(&self) -> &Path {
        &self.directory
    }

    fn now(&self) -> SystemTime {
        self.note(Input::Clock, || digest_of_time(self.began));
        self.began
    }

    fn facts(&self) -> &'static [FactSchema] {
        FACTS
    }

    fn fact(&self, name: &str) -> std::result::Result<Value, uphold_config::FactError> {
        let value = self.machine.facts.fact(name);
        self.note(Input::Fact(name.to_owned()), || digest_of_value(value.as_ref().ok()));
        value.map_err(|error| uphold_config::FactError(error.chain()))
    }
}

/// Texts that replace files, such as unsaved ones of an editor. Paths are absolute if those of the configuration are.
#[derive(Clone, Default)]
pub(crate) struct Overlay(BTreeMap<PathBuf, Arc<str>>);

impl Overlay {
    pub(crate) fn add(&mut self, path: PathBuf, text: Arc<str>) {
        self.0.insert(path, text);
    }

    /// The text in place of this file.
    pub(crate) fn text(&self, path: &Path) -> Option<&str> {
        self.0.get(path).map(|text| &**text)
    }

    /// The names of the replaced files in a directory.
    fn names(&self, directory: &Path) -> impl Iterator<Item = String> {
        let inside = move |path: &&PathBuf| path.parent() == Some(directory);
        self.0.keys().filter(inside).filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
    }

    /// The names in a directory, including new files.
    pub(crate) fn list(&self, directory: &Path, files: &ConfigurationFiles) -> Result<Vec<String>> {
        let listed = files.list(directory);
        let mut names: Vec<String> = self.names(directory).collect();
        match listed {
            Err(error) if names.is_empty() => return Err(error),
            listed => names.extend(listed.unwrap_or_default()),
        }
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// The texts of a configuration, like [`ConfigurationFiles::configuration`].
    pub(crate) fn configuration(
        &self,
        path: &Path,
        files: &ConfigurationFiles,
    ) -> Result<Vec<(String, SourceText)>> {
        if let Some(text) = self.text(path) {
            return Ok(vec![(path.display().to_string(), text.into())]);
        }
        if self.names(path).next().is_none() {
            return files.configuration(path);
        }
        let names = self.list(path, files)?;
        let is_source = |name: &String| is_configuration(name);
        let mut texts = Vec::new();
        for name in names.into_iter().filter(is_source) {
            texts.extend(self.configuration(&path.join(name), files)?);
        }
        Ok(texts)
    }
}

#[expect(clippy::disallowed_methods, reason = "the test prepares real files")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_replace_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let directory = folder.path();
        std::fs::write(directory.join("b.hcl"), "on disk").expect("a file");
        std::fs::write(directory.join("c.hcl"), "on disk").expect("a file");
        let mut overlay = Overlay::default();
        let read = |overlay: &Overlay, path: &Path| {
            let texts = overlay.configuration(path, &ConfigurationFiles::new()).unwrap_or_default();
            let shown = texts
                .iter()
                .map(|(name, text)| format!("{}={text}", name.rsplit('/').next().unwrap_or(name)));
            shown.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(read(&overlay, directory), "b.hcl=on disk c.hcl=on disk");
        overlay.add(directory.join("a.hcl"), "new".into());
        overlay.add(directory.join("b.hcl"), "changed".into());
        overlay.add(directory.join("b.txt"), "no configuration".into());
        overlay.add(directory.join("b.test.hcl"), "a test".into());
        overlay.add(directory.join("none/a.hcl"), "elsewhere".into());
        assert_eq!(read(&overlay, directory), "a.hcl=new b.hcl=changed c.hcl=on disk");
        assert_eq!(read(&overlay, &directory.join("b.hcl")), "b.hcl=changed");
        assert_eq!(read(&overlay, &directory.join("none")), "a.hcl=elsewhere");
        assert_eq!(read(&overlay, &directory.join("nothing")), "");
    }
}
