//! The state that every command shares.

use std::num::NonZeroUsize;
use std::thread;

use uphold::resource::{Machine, Registry};
use uphold::{Configuration, Engine, EngineBuilder, Gauge, KindReading, LocalHost};

use super::signals::Signals;
use crate::{CliError, Flags, Ui, diagnostics};

/// The flags, the kinds, and the only owner of the output.
pub(crate) struct Session {
    pub(crate) flags: Flags,
    /// The kinds that are part of the program.
    pub(crate) kinds: Registry,
    /// Whether the command may run programs of kinds.
    pub(crate) runs_programs: bool,
    pub(crate) ui: Ui,
    pub(crate) signals: Signals,
    /// The progress of transfers.
    pub(crate) gauge: Gauge,
}

impl Session {
    /// This machine, or the directory given with `--root`.
    pub(crate) fn host(&self) -> Result<LocalHost, CliError> {
        let host = match &self.flags.root {
            Some(root) => LocalHost::rooted(root)?,
            None => LocalHost::new(),
        };
        Ok(host.stopped_by(self.signals.stop().clone()).measured_by(self.gauge.clone()))
    }

    pub(crate) fn engine(&self) -> Result<Engine, CliError> {
        Ok(self.engine_on(self.host()?))
    }

    pub(crate) fn engine_on(&self, machine: impl Into<Machine>) -> Engine {
        let stop = self.signals.stop().clone();
        let builder = Engine::on(machine).kinds(self.kinds.clone()).jobs(self.jobs()).stop(stop);
        let engine = self.flags.kinds.iter().fold(builder, EngineBuilder::kinds_in).build();
        if self.runs_programs { engine } else { engine.without_programs() }
    }

    /// The kinds that a configuration in the current directory could use. Invalid kind files are reported, and left
    /// out.
    pub(crate) fn kinds_here(&mut self, engine: &Engine) -> Registry {
        let KindReading { kinds, sources, diagnostics } = Configuration::reader(engine).read_kinds(["."]);
        diagnostics::show_each(&diagnostics, &sources, !self.flags.quiet, &mut self.ui);
        kinds
    }

    /// How many resources are worked on at a time.
    pub(crate) fn jobs(&self) -> NonZeroUsize {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.flags.jobs.unwrap_or_else(cores)
    }
}
