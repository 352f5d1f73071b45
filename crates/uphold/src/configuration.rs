//! A configuration as it was read.

use std::path::Path;

use uphold_config::Console;
use uphold_host::LocalHost;
use uphold_model::{Diagnostics, Sources, Statement};
use uphold_resource::{Machine, Registry};

use crate::Result;
use crate::configuration_reader::ConfigurationReader;
use crate::saved_plan::{GivenParam, Inputs};

/// Statements, where they were written, and what is wrong with them.
pub struct Configuration {
    /// The texts that were read.
    pub sources: Sources,
    /// What they say.
    pub statements: Vec<Statement>,
    /// The kinds that there are: those of the program, and those that files define.
    pub kinds: Registry,
    /// What is wrong with all of that.
    pub diagnostics: Diagnostics,
    /// Evaluates further expressions.
    pub console: Console,
    /// What it was read from, if [`ConfigurationReader::logged`] asked for it.
    pub origin: Option<ConfigurationOrigin>,
}

/// What a configuration was read from.
pub struct ConfigurationOrigin {
    /// Files, variables and facts.
    pub inputs: Inputs,
    /// Params that were given by hand: those that count.
    pub params: Vec<GivenParam>,
}

impl Configuration {
    /// Reads files; of a directory, every `.hcl` file in it that is no test; `-` is standard input. A `.luau` file is a
    /// recipe.
    ///
    /// # Errors
    /// If a file cannot be read or is not UTF-8. Mistakes in the text are diagnostics.
    pub fn read<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self> {
        Self::reader(LocalHost::new()).read(paths)
    }

    /// Takes texts that are there already, each with a name for messages.
    ///
    /// # Errors
    /// If the current directory cannot be found.
    pub fn from_texts(texts: impl IntoIterator<Item = (String, String)>) -> Result<Self> {
        Self::reader(LocalHost::new()).from_texts(texts)
    }

    /// A reader whose facts are those of `machine`.
    pub fn reader(machine: impl Into<Machine>) -> ConfigurationReader {
        ConfigurationReader::new(machine.into())
    }
}
