//! The machine as expressions see it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use uphold_config::Surroundings;
use uphold_host::ConfigurationFiles;
use uphold_model::{FactSchema, Value};
use uphold_resource::{FACTS, Machine, Result};

use crate::input_log::{Digest, Input, InputLog, digest, digest_of_names, digest_of_time, digest_of_value};
use crate::overlay::Overlay;

/// Facts and the time of a host; files and the environment of this process, whatever root the host is below.
pub(crate) struct LocalSurroundings {
    machine: Machine,
    files: Arc<ConfigurationFiles>,
    overlay: Arc<Overlay>,
    directory: PathBuf,
    pub(crate) began: SystemTime,
    log: Option<Arc<InputLog>>,
}

impl LocalSurroundings {
    /// What a configuration for this host may look at.
    ///
    /// # Errors
    /// If the current directory cannot be found.
    pub(crate) fn new(machine: Machine, files: Arc<ConfigurationFiles>) -> Result<Self> {
        let began = machine.clock.now();
        let directory = uphold_host::current_directory()?;
        Ok(Self { machine, files, overlay: Arc::default(), directory, began, log: None })
    }

    /// The same, with texts that stand for files.
    pub(crate) fn overlaid(self, overlay: Arc<Overlay>) -> Self {
        Self { overlay, ..self }
    }

    /// The same, at another time.
    pub(crate) fn at(self, began: SystemTime) -> Self {
        Self { began, ..self }
    }

    /// The same; what is read is noted.
    pub(crate) fn logged(self, log: Option<Arc<InputLog>>) -> Self {
        Self { log, ..self }
    }
}

impl LocalSurroundings {
    fn note(&self, input: Input, digest: impl FnOnce() -> Digest) {
        if let Some(log) = &self.log {
            log.note(input, digest);
        }
    }

    /// Hands over the content of a file, piece by piece: it may be large, and nobody wants to keep it.
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
