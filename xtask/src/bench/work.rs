//! The folder in memory for the benchmarks, and the programs that they compare.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::disk;
use crate::failure::{Failure, Result};

/// A tmpfs, where syncing costs nothing: the benchmarks compare programs, not disks.
const MEMORY: &str = "/dev/shm";

/// The context of a benchmark. The folder is removed when this is dropped.
pub(crate) struct Bench {
    uphold: PathBuf,
    xtask: PathBuf,
    folder: PathBuf,
    quick: bool,
}

impl Bench {
    /// The `uphold` binary.
    pub(crate) const UPHOLD: &str = "uphold";
    /// An example of `uphold-engine` that prints the duration of a run.
    pub(crate) const ENGINE: &str = "examples/run_cost";
    /// An example of `uphold-config` that reads, evaluates and checks a configuration.
    pub(crate) const READER: &str = "examples/read";
    /// An example of `uphold-config` that parses it with `hcl-edit`.
    pub(crate) const ORACLE: &str = "examples/hcl_edit_parse";

    pub(crate) fn new(uphold: PathBuf, xtask: PathBuf, quick: bool) -> Result<Self> {
        if !Path::new(MEMORY).is_dir() {
            return Err(Failure::new(format!("{MEMORY} does not exist; mount a tmpfs there")));
        }
        let folder = Path::new(MEMORY).join(format!("uphold-bench-{}", std::process::id()));
        disk::make_directory(&folder)?;
        Ok(Self { uphold, xtask, folder, quick })
    }

    /// Whether a rough result is enough; then benchmarks that wait do so for a shorter time.
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

    /// A built program with these arguments and a file.
    pub(crate) fn program(&self, name: &str, words: &[&str], file: &Path) -> Command {
        let mut command = Command::new(self.uphold.with_file_name(name));
        command.args(words).arg(file);
        command
    }

    /// The floor program, a separate process like ours.
    pub(crate) fn floor(&self, verb: &str, root: &Path, count: usize) -> Command {
        let mut command = Command::new(&self.xtask);
        command.args(["floor", verb]).arg(root).arg(count.to_string());
        command
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // A failure can only be reported; the folder then stays in memory until the next boot.
        if let Err(failure) = disk::remove_tree(&self.folder) {
            eprintln!("warning: {failure}");
        }
    }
}
