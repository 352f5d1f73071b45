//! The machine as expressions see it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use uphold_config::Surroundings;
use uphold_host::ConfigurationFiles;
use uphold_model::{FactSchema, Value};
use uphold_resource::{FACTS, Observe, Result};

use crate::overlay::Overlay;

/// Facts and the time of a host; files and the environment of this process, whatever root the host is below.
pub struct LocalSurroundings {
    host: Arc<dyn Observe>,
    files: Arc<ConfigurationFiles>,
    overlay: Arc<Overlay>,
    directory: PathBuf,
    began: SystemTime,
}

impl LocalSurroundings {
    /// What a configuration for this host may look at.
    ///
    /// # Errors
    /// If the current directory cannot be found.
    pub fn new(host: Arc<dyn Observe>, files: Arc<ConfigurationFiles>) -> Result<Self> {
        let began = host.clock().now();
        Ok(Self { host, files, overlay: Arc::default(), directory: uphold_host::current_directory()?, began })
    }

    /// The same, with texts that stand for files.
    pub(crate) fn overlaid(self, overlay: Arc<Overlay>) -> Self {
        Self { overlay, ..self }
    }
}

impl Surroundings for LocalSurroundings {
    fn read(&self, path: &Path) -> std::result::Result<Vec<u8>, String> {
        match self.overlay.text(path) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.files.read(path).map_err(|error| error.chain()),
        }
    }

    fn list(&self, directory: &Path) -> std::result::Result<Vec<String>, String> {
        let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        self.overlay.list(directory, &self.files).map_err(|error| error.chain())
    }

    fn variable(&self, name: &str) -> Option<String> {
        uphold_host::environment(name)
    }

    fn current_directory(&self) -> &Path {
        &self.directory
    }

    fn now(&self) -> SystemTime {
        self.began
    }

    fn facts(&self) -> &'static [FactSchema] {
        FACTS
    }

    fn fact(&self, name: &str) -> std::result::Result<Value, uphold_config::FactError> {
        self.host.facts().fact(name).map_err(|error| uphold_config::FactError(error.chain()))
    }
}
