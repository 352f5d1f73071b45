//! The folder in memory that benchmarks work in, and the programs they compare.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::disk;
use crate::failure::{Failure, Result};

/// A tmpfs, so that programs are compared and not disks; syncing costs nothing there, for either side.
const MEMORY: &str = "/dev/shm";

/// What a benchmark needs. The folder is removed when this is dropped.
pub(crate) struct Bench {
    uphold: PathBuf,
    xtask: PathBuf,
    folder: PathBuf,
    quick: bool,
}

impl Bench {
    /// The command itself.
    pub(crate) const UPHOLD: &str = "uphold";
    /// An example of `uphold-engine`: tells how long a run took.
    pub(crate) const ENGINE: &str = "examples/run_cost";
    /// An example of `uphold-config`: reads, evaluates and checks a configuration.
    pub(crate) const READER: &str = "examples/read";
    /// Another: parses it with `hcl-edit`.
    pub(crate) const ORACLE: &str = "examples/hcl_edit_parse";

    pub(crate) fn new(uphold: PathBuf, xtask: PathBuf, quick: bool) -> Result<Self> {
        if !Path::new(MEMORY).is_dir() {
            return Err(Failure::new(format!("there is no {MEMORY}; mount a tmpfs there")));
        }
        let folder = Path::new(MEMORY).join(format!("uphold-bench-{}", std::process::id()));
        disk::make_directory(&folder)?;
        Ok(Self { uphold, xtask, folder, quick })
    }

    /// Whether a rough answer is enough: what takes its time by waiting waits less.
    pub(crate) fn is_quick(&self) -> bool {
        self.quick
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// `uphold VERB --quiet --root ROOT CONFIGURATION`.
    pub(crate) fn uphold(&self, verb: &str, root: &Path, configuration: &Path) -> Command {
        let mut command = Command::new(&self.uphold);
        command.args([verb, "--quiet", "--root"]).arg(root).arg(configuration);
        command
    }

    /// One of the programs that were built, with these words and a file.
    pub(crate) fn program(&self, name: &str, words: &[&str], file: &Path) -> Command {
        let mut command = Command::new(self.uphold.with_file_name(name));
        command.args(words).arg(file);
        command
    }

    /// The floor program, as a process of its own like ours.
    pub(crate) fn floor(&self, verb: &str, root: &Path, count: usize) -> Command {
        let mut command = Command::new(&self.xtask);
        command.args(["floor", verb]).arg(root).arg(count.to_string());
        command
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // Nothing to do about a failure here but to say it: the folder is in memory until the next boot.
        if let Err(failure) = disk::remove_tree(&self.folder) {
            eprintln!("warning: {failure}");
        }
    }
}
