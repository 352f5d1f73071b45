//! What every command works with.

use std::num::NonZeroUsize;

use uphold::model::{Diagnostics, Sources};
use uphold::resource::{Machine, Registry};
use uphold::{
    Configuration, ConfigurationOrigin, ConfigurationReader, Engine, Gauge, Keep, KindReading, KindSources,
    LocalHost, Program,
};

use crate::args::Flags;
use crate::diagnostics;
use crate::error::CliError;
use crate::input::Input;
use crate::signals::Signals;
use crate::ui::Ui;

/// The flags, the kinds, and the only way to print.
pub(crate) struct Session {
    pub(crate) flags: Flags,
    /// Where kinds come from.
    pub(crate) kinds: KindSources,
    pub(crate) ui: Ui,
    pub(crate) signals: Signals,
    /// How far transfers are.
    pub(crate) gauge: Gauge,
}

/// A configuration that was read and checked.
pub(crate) struct Loaded {
    pub(crate) engine: Engine,
    pub(crate) program: Option<Program>,
    pub(crate) sources: Sources,
    pub(crate) diagnostics: Diagnostics,
    /// What it was read from, if that was noted.
    pub(crate) origin: Option<ConfigurationOrigin>,
}

/// A configuration without errors, and an engine for it.
pub(crate) struct Checked {
    pub(crate) engine: Engine,
    pub(crate) program: Program,
    pub(crate) sources: Sources,
}

impl Session {
    /// This machine, or what is below `--root`.
    pub(crate) fn host(&self) -> Result<LocalHost, CliError> {
        Ok(match &self.flags.root {
            Some(root) => LocalHost::rooted(root)?,
            None => LocalHost::new(),
        })
    }

    /// An engine for the host.
    pub(crate) fn engine(&self) -> Result<Engine, CliError> {
        self.engine_on(|host| host)
    }

    /// An engine for the host as `dress` shows it.
    pub(crate) fn engine_on<H: Into<Machine>>(
        &self,
        dress: impl FnOnce(LocalHost) -> H,
    ) -> Result<Engine, CliError> {
        self.signals.listen()?;
        let stop = self.signals.stop().clone();
        let host = self.host()?.stopped_by(stop.clone()).measured_by(self.gauge.clone());
        let engine = Engine::builder().host(dress(host)).stop(stop);
        Ok(engine.kinds(self.kinds.compiled().clone()).jobs(self.jobs()).build())
    }

    /// Begins to read a configuration.
    pub(crate) fn reader(&self) -> Result<ConfigurationReader, CliError> {
        Ok(Configuration::reader(self.host()?).kinds(self.kinds.clone()))
    }

    /// The kinds that a configuration in the current directory has. What is wrong with their files is shown, and those that
    /// are sound are there.
    pub(crate) fn kinds_here(&mut self) -> Result<Registry, CliError> {
        let KindReading { kinds, sources, diagnostics } = self.reader()?.read_kinds(["."]);
        diagnostics::show_each(&diagnostics, &sources, !self.flags.quiet, &mut self.ui);
        Ok(kinds)
    }

    /// Reads and checks a configuration.
    pub(crate) fn load(&self, input: &Input) -> Result<Loaded, CliError> {
        self.checked(input.read(self.reader()?)?)
    }

    /// Checks a configuration that was read.
    pub(crate) fn checked(&self, configuration: Configuration) -> Result<Loaded, CliError> {
        let Configuration { sources, statements, kinds, mut diagnostics, origin, .. } = configuration;
        let engine = self.engine()?.with_kinds(kinds);
        let (program, found) = engine.check(statements, Keep::All);
        diagnostics.extend(found);
        let program = program.filter(|_| !diagnostics.has_errors());
        Ok(Loaded { engine, program, sources, diagnostics, origin })
    }

    /// Reads and checks a configuration, and shows what is wrong with it. None if that forbids to
    /// go on.
    pub(crate) fn check(&mut self, input: &Input) -> Result<Option<Checked>, CliError> {
        let loaded = self.load(input)?;
        diagnostics::show(&loaded.diagnostics, &loaded.sources, !self.flags.quiet, &mut self.ui);
        Ok(loaded.checked())
    }

    /// How much is done at a time.
    pub(crate) fn jobs(&self) -> NonZeroUsize {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.flags.jobs.unwrap_or_else(cores)
    }
}

impl Loaded {
    /// The same, if nothing is wrong with it.
    pub(crate) fn checked(self) -> Option<Checked> {
        let Self { engine, program, sources, .. } = self;
        program.map(|program| Checked { engine, program, sources })
    }
}
