//! Paths of the repository: its root, its files, and programs built by cargo.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::disk;
use crate::failure::{Failure, Result};
use crate::program;

/// The root of the repository: the folder above xtask's own.
pub(crate) fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// The program `name` that cargo built in a profile's folder (`debug`, `release`).
///
/// The target folder is that of this program, independent of the environment.
pub(crate) fn built(profile: &str, name: &str) -> Result<PathBuf> {
    let own = std::env::current_exe()
        .map_err(|error| Failure::new(format!("cannot find the running program: {error}")))?;
    let target =
        own.ancestors().nth(2).ok_or_else(|| Failure::new("xtask does not run from a target folder"))?;
    Ok(target.join(profile).join(name))
}

/// One text file of the repository; `path` is relative to the root.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Integration tests, and unit tests in a file of their own.
    pub(crate) fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.ends_with("/tests.rs") || self.path.ends_with("_tests.rs")
    }
}

/// Every file that is tracked, or new and not ignored by git.
pub(crate) fn sources() -> Result<Vec<Source>> {
    let listing = program::output(
        Command::new("git").args(["ls-files", "-z", "-co", "--exclude-standard"]).current_dir(root()),
    )?;
    let mut paths: Vec<&str> = listing.split('\0').filter(|path| root().join(path).is_file()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
        .into_iter()
        .map(|path| Ok(Source { path: path.to_owned(), text: disk::read(&root().join(path))? }))
        .collect()
}
