//! Where a configuration comes from, each time that it is read.

use std::path::PathBuf;
use std::sync::Arc;

use uphold_host::ConfigurationFiles;

use super::notes::Notes;
use crate::configuration::Configuration;
use crate::configuration_reader::ConfigurationReader;
use crate::surroundings::LocalSurroundings;
use crate::{Error, Result};

/// A configuration that can be read again and again.
pub struct ConfigurationSource {
    paths: Vec<PathBuf>,
    reader: Reader,
    /// What can be read only once.
    kept: Vec<(PathBuf, Arc<str>)>,
}

/// Makes a reader.
type Reader = Box<dyn Fn() -> Result<ConfigurationReader> + Send + Sync>;

impl ConfigurationSource {
    /// These files and directories, as [`ConfigurationReader::read`] takes them. `reader` is called each time; the host
    /// that it gives the reader must be a new one, because a host tells each fact once.
    ///
    /// Standard input and pipes are read here, once.
    ///
    /// # Errors
    /// If one of those cannot be read.
    pub fn new<P: Into<PathBuf>>(
        paths: impl IntoIterator<Item = P>,
        reader: impl Fn() -> Result<ConfigurationReader> + Send + Sync + 'static,
    ) -> Result<Self> {
        let paths: Vec<PathBuf> = paths.into_iter().map(Into::into).collect();
        let files = ConfigurationFiles::new();
        let mut kept = Vec::new();
        for path in paths.iter().filter(|path| files.is_stream(path)) {
            let texts = files.configuration(path)?.into_iter();
            kept.extend(texts.map(|(_, text)| (path.clone(), Arc::from(text))));
        }
        Ok(Self { paths, reader: Box::new(reader), kept })
    }

    /// The same with a text that stands for the file at `path`, whatever is there.
    #[must_use]
    pub fn with_text(mut self, path: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> Self {
        self.kept.push((path.into(), text.into()));
        self
    }

    /// Reads it, and notes what it is read from.
    pub(super) fn read(&self, notes: &Arc<Notes>) -> Result<Configuration> {
        self.fresh()?.noted(notes.clone()).read(&self.paths)
    }

    /// What it would see if it were read now.
    pub(super) fn surroundings(&self) -> Result<LocalSurroundings, Error> {
        self.fresh()?.surroundings()
    }

    fn fresh(&self) -> Result<ConfigurationReader> {
        let overlaid = |reader: ConfigurationReader, (path, text): &(PathBuf, Arc<str>)| {
            reader.overlay(path.clone(), text.clone())
        };
        Ok(self.kept.iter().fold((self.reader)()?, overlaid))
    }
}
