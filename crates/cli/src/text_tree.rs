//! Generated files below a directory.

use std::path::Path;

use uphold::resource::{Access, FileEdits, Files, NewFile};
use uphold::{ErrorKind, LocalHost};

use crate::CliError;
use crate::hcl_files::absolute;

/// The modes of new directories and files: readable by all users.
const DIRECTORY: Access = Access { mode: Some(0o755), uid: None, gid: None };
const FILE: Access = Access { mode: Some(0o644), uid: None, gid: None };

/// Relative paths and the contents of their files.
#[derive(Debug, Default)]
pub(crate) struct TextTree(Vec<(String, String)>);

impl TextTree {
    /// Adds a file.
    pub(crate) fn add(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.0.push((path.into(), text.into()));
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(path, _)| path.as_str())
    }

    /// Writes all files, each atomically, and creates missing directories, also `directory` itself. Stops at the first
    /// error.
    pub(crate) fn write(&self, directory: &Path, host: &LocalHost) -> Result<(), CliError> {
        let directory = absolute(directory)?;
        create(&directory, host)?;
        for (path, text) in &self.0 {
            for (at, _) in path.match_indices('/') {
                create(&directory.join(&path[..at]), host)?;
            }
            let file = NewFile::new(text.as_bytes(), FILE);
            host.write(&directory.join(path), &file)?;
        }
        Ok(())
    }
}

fn create(directory: &Path, host: &LocalHost) -> Result<(), CliError> {
    match host.look(directory)? {
        Some(_) => Ok(()),
        None => host.make_directory(directory, &DIRECTORY).map_err(|error| {
            let parent_missing = error.kind() == ErrorKind::ParentMissing;
            let error = CliError::from(error);
            if parent_missing { error.hint("create its parent directory first") } else { error }
        }),
    }
}
