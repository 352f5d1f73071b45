//! Texts that become files below a directory.

use std::path::Path;

use uphold::resource::{Access, FileEdits, Files, NewFile};
use uphold::{ErrorKind, LocalHost};

use crate::error::CliError;
use crate::hcl_files::absolute;

/// How new directories and files are made: everybody may read them.
const DIRECTORY: Access = Access { mode: Some(0o755), uid: None, gid: None };
const FILE: Access = Access { mode: Some(0o644), uid: None, gid: None };

/// Paths below a directory, each with its text, in order.
#[derive(Debug, Default)]
pub(crate) struct TextTree(Vec<(String, String)>);

impl TextTree {
    /// Adds a text. Its path has `/` between names.
    pub(crate) fn add(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.0.push((path.into(), text.into()));
    }

    /// All paths.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(path, _)| path.as_str())
    }

    /// Writes all texts, each at once; makes the directories that are missing, also `directory` itself.
    ///
    /// # Errors
    /// If one cannot be written. Those before it are.
    pub(crate) fn write(&self, directory: &Path, host: &LocalHost) -> Result<(), CliError> {
        let directory = absolute(directory)?;
        make(&directory, host)?;
        for (path, text) in &self.0 {
            for (at, _) in path.match_indices('/') {
                make(&directory.join(&path[..at]), host)?;
            }
            let file = NewFile::new(text.as_bytes(), FILE);
            host.write(&directory.join(path), &file)?;
        }
        Ok(())
    }
}

fn make(directory: &Path, host: &LocalHost) -> Result<(), CliError> {
    match host.look(directory)? {
        Some(_) => Ok(()),
        None => host.make_directory(directory, &DIRECTORY).map_err(|error| {
            let parent_missing = error.kind() == ErrorKind::ParentMissing;
            let error = CliError::from(error);
            if parent_missing { error.hint("make the directory above it first") } else { error }
        }),
    }
}
