//! Which configuration to work on.

use std::path::PathBuf;

use uphold::{Configuration, ConfigurationReader, ErrorKind};

use crate::demo;
use crate::error::CliError;

/// The configuration of a command.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Input {
    /// Files, or directories with *.hcl files; recipes, which are *.luau files; - for standard input; the current directory
    /// unless set
    pub(crate) files: Vec<PathBuf>,
    /// Use the embedded example, in a folder of its own: --root, or a new one
    #[arg(long, conflicts_with = "files")]
    pub(crate) demo: bool,
    /// Set a param of the configuration; stronger than UPHOLD_PARAM_NAME, which is stronger than --params
    #[arg(long = "param", short, value_name = "NAME=VALUE", value_parser = assignment)]
    pub(crate) param: Vec<(String, String)>,
    /// Take params from a file: HCL, JSON or YAML, by the end of its name
    #[arg(long, value_name = "FILE")]
    pub(crate) params: Vec<PathBuf>,
}

fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE".to_owned()),
    }
}

impl Input {
    /// Reads it by this reader.
    pub(crate) fn read(&self, reader: ConfigurationReader) -> Result<Configuration, CliError> {
        let reader = self.prepare(reader);
        if self.demo {
            return Ok(reader.from_texts([demo::text()])?);
        }
        if self.files.is_empty() {
            let read = reader.read(["."]);
            return read
                .map_err(|error| if self.params.is_empty() { here(error.into()) } else { error.into() });
        }
        Ok(reader.read(&self.files)?)
    }

    /// Reads the current directory; without any `*.hcl` file in it, a configuration that says nothing.
    pub(crate) fn read_here_or_nothing(
        &self,
        reader: impl Fn() -> Result<ConfigurationReader, CliError>,
    ) -> Result<Configuration, CliError> {
        match self.prepare(reader()?).read(["."]) {
            Err(error) if error.kind() == ErrorKind::Missing => Ok(self.prepare(reader()?).from_texts([])?),
            read => Ok(read?),
        }
    }

    /// The same reader with the params of the command line.
    pub(crate) fn prepare(&self, mut reader: ConfigurationReader) -> ConfigurationReader {
        for (name, value) in &self.param {
            reader = reader.param(name, value);
        }
        for file in &self.params {
            reader = reader.params_file(file);
        }
        reader
    }
}

/// Who gave no file may not know that one was looked for.
pub(crate) fn here(error: CliError) -> CliError {
    error.hint("name a file, change to a directory with *.hcl files, or see `--demo`")
}
