//! A configuration that is read again and again.

use std::path::PathBuf;
use std::sync::Arc;

use uphold_engine::Keep;
use uphold_host::ConfigurationFiles;

use crate::Result;
use crate::checked::Checked;
use crate::configuration_reader::ConfigurationReader;
use crate::engine::Engine;
use crate::input_log::InputLog;
use crate::rejected::Rejected;
use crate::surroundings::LocalSurroundings;

/// The paths of a configuration, and how they are read.
pub(crate) struct ConfigurationSource {
    paths: Vec<PathBuf>,
    reader: ConfigurationReader,
}

impl ConfigurationSource {
    /// Standard input and pipes are read here, once.
    ///
    /// # Errors
    /// If one of those cannot be read.
    pub(crate) fn new(mut reader: ConfigurationReader, paths: Vec<PathBuf>) -> Result<Self> {
        let files = ConfigurationFiles::new();
        for path in paths.iter().filter(|path| files.is_stream(path)) {
            for (_, text) in files.configuration(path)? {
                reader = reader.overlay(path.clone(), text);
            }
        }
        Ok(Self { paths, reader })
    }

    pub(super) fn engine(&self) -> &Engine {
        &self.reader.engine
    }

    /// Reads it as it is now, checks it, and notes what it is read from.
    pub(super) fn check(&self, notes: &Arc<InputLog>) -> Result<std::result::Result<Checked, Rejected>> {
        let configuration = self.reader.clone().renewed()?.logged_in(notes.clone()).read(&self.paths)?;
        Ok(configuration.check_keeping(Keep::ForWatch))
    }

    /// What it would see if it were read now.
    pub(super) fn surroundings(&self) -> Result<LocalSurroundings> {
        self.reader.clone().renewed()?.surroundings(Arc::new(ConfigurationFiles::new()))
    }
}
