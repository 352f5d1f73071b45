//! The configuration that a command works on.

use std::path::PathBuf;

use uphold::{Configuration, ConfigurationReader, Engine, Watch};

use super::signals::Signals;
use crate::{CliError, demo};

/// The files and params of a configuration.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Input {
    /// Configuration files or directories [default: .]
    ///
    /// *.hcl files, directories with *.hcl files, recipes (*.luau files), or - for standard input.
    pub(crate) files: Vec<PathBuf>,
    /// Use the built-in example, in --root or a temporary directory
    #[arg(long, conflicts_with = "files")]
    pub(crate) demo: bool,
    /// Set a param of the configuration; can be repeated
    ///
    /// It overrides the environment variable UPHOLD_PARAM_NAME, which overrides --params.
    #[arg(long = "param", short, value_name = "NAME=VALUE", value_parser = assignment)]
    pub(crate) param: Vec<(String, String)>,
    /// Read params from an HCL, JSON or YAML file; can be repeated
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

    /// Reads it for a command that ends after its run.
    pub(crate) fn read(&self, reader: ConfigurationReader) -> Result<Configuration, CliError> {
        let reader = reader.until_exit();
        let read = if self.demo { reader.from_texts([demo::TEXT]) } else { reader.read(self.paths()) };
        read.map_err(|error| self.with_hint(error))
    }

    /// Reads it in a command that handles signals. While it waits for a pipe, a signal ends the command.
    pub(crate) fn read_interruptibly(
        &self,
        reader: ConfigurationReader,
        signals: &Signals,
    ) -> Result<Configuration, CliError> {
        if reader.waits_for_writers(&self.paths()) {
            signals.while_waiting(|| self.read(reader))
        } else {
            self.read(reader)
        }
    }

    pub(crate) fn watch(&self, reader: ConfigurationReader) -> Result<Watch, CliError> {
        if self.demo {
            let (name, text) = demo::TEXT;
            return Ok(reader.overlay(name, text).watch([name])?);
        }
        Ok(reader.watch(self.paths())?)
    }

    /// The files and directories as given.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        if self.files.is_empty() { vec![PathBuf::from(".")] } else { self.files.clone() }
    }

    /// Adds a hint for users who named no file and may not know that the current directory is the default.
    pub(crate) fn with_hint(&self, error: uphold::Error) -> CliError {
        let error = CliError::from(error);
        if self.files.is_empty() && !self.demo && self.params.is_empty() {
            return error.hint("name a file, change to a directory with *.hcl files, or try `--demo`");
        }
        error
    }
}
