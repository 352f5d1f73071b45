//! An engine: a machine, its kinds, and its concurrency.

use std::num::NonZeroUsize;
#[cfg(feature = "luau")]
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use uphold_engine::Engine as Core;
#[cfg(feature = "luau")]
use uphold_memory::MemoryHost;
use uphold_resource::{KindError, Machine, Registry, Resource, Stop};

use crate::kind_files::KindSources;

/// A machine and its kinds. A [`Configuration`](crate::Configuration) is read, checked and run by one engine, so that facts,
/// kinds and root belong to one machine. It has no state between runs; clones are cheap.
#[derive(Clone)]
pub struct Engine {
    pub(crate) core: Core,
    pub(crate) kinds: KindSources,
}

impl Engine {
    /// Builds an engine for this machine, with the built-in kinds.
    pub fn on(machine: impl Into<Machine>) -> EngineBuilder {
        EngineBuilder { core: Core::on(machine), kinds: None, directories: Vec::new() }
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        self.core.machine()
    }

    /// The kinds that are compiled in.
    pub fn kinds(&self) -> &Registry {
        &self.kinds.compiled
    }

    /// The same engine for a command that must not run programs: a kind whose schema a program prints is not checked.
    #[must_use]
    pub fn without_programs(self) -> Self {
        Self { kinds: self.kinds.without_programs(), ..self }
    }

    /// The same engine, with runs that are recorded in a journal.
    #[must_use]
    pub fn recorded_by(self, journal: Arc<dyn uphold_engine::Journal>) -> Self {
        Self { core: self.core.journal(journal), ..self }
    }

    /// An engine for another machine, with the same kinds.
    /// The same kinds and those of a directory, for a machine in memory.
    #[cfg(feature = "luau")]
    pub(crate) fn with_kinds_in(&self, directory: &Path) -> Self {
        let mut directories = self.kinds.directories.clone();
        directories.push(directory.to_owned());
        let kinds = KindSources::new(self.kinds.compiled.clone(), directories);
        Self { core: Core::on(MemoryHost::new()), kinds }
    }

    pub(crate) fn elsewhere(&self, machine: impl Into<Machine>) -> Self {
        Self { core: Core::on(machine), kinds: self.kinds.clone() }
    }
}

/// Builds an engine.
pub struct EngineBuilder {
    core: Core,
    /// None for the built-in kinds, which are created on demand.
    kinds: Option<Registry>,
    directories: Vec<PathBuf>,
}

impl EngineBuilder {
    /// Adds the kind `R`.
    ///
    /// # Errors
    /// If the name is taken, or a default is invalid.
    pub fn kind<R: Resource>(mut self) -> Result<Self, KindError> {
        self.kinds.get_or_insert_with(crate::kinds).add::<R>()?;
        Ok(self)
    }

    /// Replaces the kinds.
    #[must_use]
    pub fn kinds(self, kinds: Registry) -> Self {
        Self { kinds: Some(kinds), ..self }
    }

    /// Adds the kind files in this directory, which must exist. Kind files beside a configuration are always used.
    #[must_use]
    pub fn kinds_in(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directories.push(directory.into());
        self
    }

    /// The number of concurrent visits; 1 by default, which makes runs deterministic.
    #[must_use]
    pub fn jobs(self, jobs: NonZeroUsize) -> Self {
        Self { core: self.core.jobs(jobs), ..self }
    }

    /// Stops early on this request: actions that were not started are skipped.
    #[must_use]
    pub fn stop(self, stop: Stop) -> Self {
        Self { core: self.core.stop(stop), ..self }
    }

    /// The engine.
    pub fn build(self) -> Engine {
        let kinds = KindSources::new(self.kinds.unwrap_or_else(crate::kinds), self.directories);
        Engine { core: self.core, kinds }
    }
}
