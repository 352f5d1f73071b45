//! An engine: a machine, kinds, and how much is done at a time.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use uphold_engine::{Engine as Core, EngineBuilder as CoreBuilder};
use uphold_resource::{KindError, Machine, Registry, Resource, Stop};

use crate::kind_files::KindSources;

/// A machine and the kinds for it. [`Configuration`](crate::Configuration)s are read, checked and run by an engine, so that
/// facts, kinds and root are of one machine. Holds no state between runs; clones cost little.
#[derive(Clone)]
pub struct Engine {
    pub(crate) core: Core,
    pub(crate) kinds: KindSources,
}

impl Engine {
    /// Begins an engine for this machine, with the kinds that ship.
    pub fn on(machine: impl Into<Machine>) -> EngineBuilder {
        EngineBuilder { core: Core::builder().host(machine), kinds: None, directories: Vec::new() }
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        self.core.machine()
    }

    /// The kinds that are part of the program.
    pub fn kinds(&self) -> &Registry {
        self.kinds.compiled()
    }

    /// The same engine for a command that must not run anything: a kind whose properties a program prints stays an outline,
    /// and its blocks are not checked.
    #[must_use]
    pub fn without_programs(self) -> Self {
        Self { kinds: self.kinds.without_programs(), ..self }
    }

    /// An engine for another machine, with the same kinds.
    pub(crate) fn elsewhere(&self, machine: impl Into<Machine>) -> Self {
        Self { core: Core::builder().host(machine).build(), kinds: self.kinds.clone() }
    }
}

/// Puts an engine together.
pub struct EngineBuilder {
    core: CoreBuilder<Machine>,
    /// None for the kinds that ship, which are made when they are needed.
    kinds: Option<Registry>,
    directories: Vec<PathBuf>,
}

impl EngineBuilder {
    /// With the kind `R`, too.
    ///
    /// # Errors
    /// If the name is taken, or a default breaks the kind's own rules.
    pub fn kind<R: Resource>(mut self) -> Result<Self, KindError> {
        self.kinds.get_or_insert_with(crate::kinds).add::<R>()?;
        Ok(self)
    }

    /// With these kinds, instead of those so far.
    #[must_use]
    pub fn kinds(self, kinds: Registry) -> Self {
        Self { kinds: Some(kinds), ..self }
    }

    /// With the kinds of the files in this directory, which must exist. Files of kinds beside a configuration are used in
    /// any case.
    #[must_use]
    pub fn kinds_in(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directories.push(directory.into());
        self
    }

    /// With this many visits at a time; one unless set, which is always the same run.
    #[must_use]
    pub fn jobs(self, jobs: NonZeroUsize) -> Self {
        Self { core: self.core.jobs(jobs), ..self }
    }

    /// Ending early when this is requested: what has not begun is skipped.
    #[must_use]
    pub fn stop(self, stop: Stop) -> Self {
        Self { core: self.core.stop(stop), ..self }
    }

    /// The engine.
    pub fn build(self) -> Engine {
        let kinds = KindSources::new(self.kinds.unwrap_or_else(crate::kinds), self.directories);
        Engine { core: self.core.build(), kinds }
    }
}
