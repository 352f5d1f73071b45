//! Which configuration to work on.

use std::path::PathBuf;

use uphold::{Configuration, ConfigurationReader, Engine, Watch};

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
    /// A reader with the params of the command line.
    pub(crate) fn reader(&self, engine: &Engine) -> ConfigurationReader {
        let reader = Configuration::reader(engine);
        let reader = self.param.iter().fold(reader, |reader, (name, value)| reader.param(name, value));
        self.params.iter().fold(reader, ConfigurationReader::params_file)
    }

    /// Reads it by this reader.
    pub(crate) fn read(&self, reader: ConfigurationReader) -> Result<Configuration, CliError> {
        let read = if self.demo { reader.from_texts([demo::TEXT]) } else { reader.read(self.paths()) };
        read.map_err(|error| self.hinted(error))
    }

    /// A watch of it by this reader.
    pub(crate) fn watch(&self, reader: ConfigurationReader) -> Result<Watch, CliError> {
        if self.demo {
            let (name, text) = demo::TEXT;
            return Ok(reader.overlay(name, text).watch([name])?);
        }
        Ok(reader.watch(self.paths())?)
    }

    /// The files and directories, as they were given.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        if self.files.is_empty() { vec![PathBuf::from(".")] } else { self.files.clone() }
    }

    /// A user who named no file may not know that the current directory was read.
    pub(crate) fn hinted(&self, error: uphold::Error) -> CliError {
        let error = CliError::from(error);
        if self.files.is_empty() && !self.demo && self.params.is_empty() {
            return error.hint("name a file, change to a directory with *.hcl files, or see `--demo`");
        }
        error
    }
}
