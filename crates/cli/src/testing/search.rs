//! Where tests are.

use std::path::{Path, PathBuf};

use uphold::LocalHost;

use crate::error::CliError;
use crate::hcl_files;

/// How the names of files of tests end.
const END: &str = ".test.hcl";

/// What the user named.
pub(crate) struct Search<'a> {
    /// Files, or directories; none is the current directory.
    pub(crate) paths: &'a [PathBuf],
}

impl Search<'_> {
    /// The files of tests, in the order in which they were named; those of a directory in the order of their paths.
    ///
    /// # Errors
    /// If something cannot be looked at, or if there is no such file.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>, CliError> {
        let here = [PathBuf::from(".")];
        let paths = if self.paths.is_empty() { &here[..] } else { self.paths };
        let mut files = Vec::new();
        for path in paths {
            let found = hcl_files::all(path, true, &LocalHost::new())?;
            let named = found == [path.clone()];
            files.extend(found.into_iter().filter(|file| named || is_test(file)));
        }
        if files.is_empty() {
            let shown: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            let message = format!("there is no test: no file *{END} in {}", shown.join(", "));
            return Err(
                CliError::new(message).hint("write one beside the configuration: docs/testing.md tells how")
            );
        }
        Ok(files)
    }
}

fn is_test(file: &Path) -> bool {
    file.to_string_lossy().ends_with(END)
}
