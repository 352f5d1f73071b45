//! Which configuration to work on.

use std::path::PathBuf;

use uphold::Configuration;

use crate::demo;
use crate::error::CliError;

/// The configuration of a command.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Input {
    /// Files, or directories with *.hcl files; - for standard input; the current directory unless set
    pub(crate) files: Vec<PathBuf>,
    /// Use the embedded example, in a folder of its own: --root, or a new one
    #[arg(long, conflicts_with = "files")]
    pub(crate) demo: bool,
}

impl Input {
    /// Reads it.
    pub(crate) fn read(&self) -> Result<Configuration, CliError> {
        if self.demo {
            return Ok(demo::configuration());
        }
        if self.files.is_empty() {
            return Configuration::read(["."]).map_err(|error| here(error.into()));
        }
        Ok(Configuration::read(&self.files)?)
    }
}

/// Who gave no file may not know that one was looked for.
fn here(error: CliError) -> CliError {
    error.hint("name a file, change to a directory with *.hcl files, or see `--demo`")
}
