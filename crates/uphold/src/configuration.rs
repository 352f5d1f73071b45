//! A configuration as it was read.

use std::path::Path;
use std::sync::Arc;

use uphold_config::Console;
use uphold_engine::Keep;
use uphold_model::{Diagnostics, Sources, Statement, Value};
use uphold_resource::Registry;

use crate::Result;
use crate::checked::Checked;
use crate::configuration_reader::ConfigurationReader;
use crate::engine::Engine;
use crate::rejected::Rejected;
use crate::saved_plan::Origin;

/// A configuration that was read, errors included. It has to be [checked](Configuration::check) before it can be run:
///
/// ```compile_fail,E0599
/// fn apply(engine: &uphold::Engine) -> uphold::Result<()> {
///     let configuration = uphold::Configuration::read(engine, ["site.hcl"])?;
///     configuration.apply(&mut |_| {})?;
///     Ok(())
/// }
/// ```
///
/// ```no_run
/// fn apply(engine: &uphold::Engine) -> uphold::Result<()> {
///     let configuration = uphold::Configuration::read(engine, ["site.hcl"])?;
///     configuration.check()?.apply(&mut |_| {})?;
///     Ok(())
/// }
/// ```
pub struct Configuration {
    pub(crate) engine: Engine,
    pub(crate) sources: Sources,
    pub(crate) statements: Vec<Statement>,
    /// The kinds of the engine, and those that files define.
    pub(crate) kinds: Registry,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) console: Console,
    pub(crate) origin: Option<Origin>,
}

impl Configuration {
    /// Reads files; of a directory, every `.hcl` file in it that is no test; `-` is standard input. A `.luau` file is a
    /// recipe.
    ///
    /// # Errors
    /// If a file cannot be read or is not UTF-8. Mistakes in the text are diagnostics.
    pub fn read<P: AsRef<Path>>(engine: &Engine, paths: impl IntoIterator<Item = P>) -> Result<Self> {
        Self::reader(engine).read(paths)
    }

    /// Reads a text, with a name for messages.
    ///
    /// # Errors
    /// If the current directory cannot be found.
    pub fn from_text(engine: &Engine, name: impl Into<String>, text: impl Into<String>) -> Result<Self> {
        Self::reader(engine).from_texts([(name, text)])
    }

    /// Takes statements of another front end.
    ///
    /// # Errors
    /// If the current directory cannot be found.
    pub fn from_statements(engine: &Engine, statements: Vec<Statement>) -> Result<Self> {
        Ok(Self { statements, ..Self::empty(engine)? })
    }

    /// A configuration without a text: facts and functions, to [evaluate](Configuration::evaluate) with.
    ///
    /// # Errors
    /// If the current directory cannot be found.
    pub fn empty(engine: &Engine) -> Result<Self> {
        Self::reader(engine).from_texts::<&str, &str>([])
    }

    /// A reader, for params and more.
    pub fn reader(engine: &Engine) -> ConfigurationReader {
        ConfigurationReader::new(engine)
    }

    /// The texts that were read.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// What reading found; a [check](Configuration::check) finds more.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// The value of an expression, with the params, locals, facts and functions of the configuration. What resources export
    /// is not known.
    ///
    /// # Errors
    /// Everything that is wrong with it; places point into a source that is added.
    pub fn evaluate(&mut self, expression: &str) -> std::result::Result<Value, Diagnostics> {
        self.console.evaluate(&mut self.sources, expression)
    }

    /// Checks everything that can be known without touching the machine.
    ///
    /// # Errors
    /// All errors of reading and checking at once.
    pub fn check(self) -> std::result::Result<Checked, Rejected> {
        self.check_keeping(Keep::All)
    }

    pub(crate) fn check_keeping(self, keep: Keep) -> std::result::Result<Checked, Rejected> {
        let Self { engine, sources, statements, kinds, mut diagnostics, origin, .. } = self;
        let core = engine.core.with_kinds(kinds);
        let (program, found) = core.check(statements, keep);
        diagnostics.extend(found);
        match program.filter(|_| !diagnostics.has_errors()) {
            Some(program) => {
                Ok(Checked { core, program: Arc::new(program), sources, warnings: diagnostics, origin })
            }
            None => Err(Rejected { diagnostics, sources }),
        }
    }
}
