//! A configuration as it was read.

use std::path::Path;

use uphold_model::{Diagnostics, Sources, Statement};

use crate::Result;

/// Statements, where they were written, and what is wrong with them.
pub struct Configuration {
    /// The texts that were read.
    pub sources: Sources,
    /// What they say.
    pub statements: Vec<Statement>,
    /// What is wrong with them.
    pub diagnostics: Diagnostics,
}

impl Configuration {
    /// Reads files; of a directory, every `.hcl` file in it; `-` is standard input.
    ///
    /// # Errors
    /// If a file cannot be read or is not UTF-8. Mistakes in the text are diagnostics.
    pub fn read<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self> {
        let mut texts = Vec::new();
        for path in paths {
            texts.extend(uphold_host::read_configuration(path.as_ref())?);
        }
        Ok(Self::from_texts(texts))
    }

    /// Takes texts that are there already, each with a name for messages.
    pub fn from_texts(texts: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut sources = Sources::default();
        let ids: Vec<_> = texts.into_iter().map(|(name, text)| sources.add(name, text)).collect();
        let reading = uphold_config::read(&sources, &ids);
        Self { sources, statements: reading.statements, diagnostics: reading.diagnostics }
    }
}
