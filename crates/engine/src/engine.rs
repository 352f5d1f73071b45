//! The public interface of the engine.

use std::num::NonZeroUsize;
use std::sync::Arc;

use uphold_model::{Diagnostics, Statement};
use uphold_resource::{KindError, Machine, Registry, Resource, Stop};

use crate::dispatcher::Sink;
use crate::event::Mode;
use crate::executor;
use crate::journal::Journal;
use crate::program::{Keep, Program};
use crate::request::{Control, Request, WatchRequest};
use crate::summary::Summary;
use crate::visit::Visits;
use crate::visit::overwritten::Writes;
use crate::watch::Session;

/// Checks, plans, applies and watches. It has the kinds and the machine, and no state between runs. Clones are cheap.
#[derive(Clone)]
pub struct Engine {
    registry: Registry,
    machine: Machine,
    pub(crate) jobs: NonZeroUsize,
    pub(crate) seed: Option<u64>,
    pub(crate) stop: Stop,
    pub(crate) journal: Option<Arc<dyn Journal>>,
}

impl Engine {
    /// An engine on a machine, without kinds.
    pub fn on(machine: impl Into<Machine>) -> Self {
        let (registry, stop) = (Registry::default(), Stop::default());
        Self { registry, machine: machine.into(), jobs: NonZeroUsize::MIN, seed: None, stop, journal: None }
    }

    /// Adds the kind `R`.
    ///
    /// # Errors
    /// If the name is taken, or a default breaks the kind's own rules.
    pub fn kind<R: Resource>(mut self) -> Result<Self, KindError> {
        self.registry.add::<R>()?;
        Ok(self)
    }

    /// Sets all kinds, in place of those so far.
    #[must_use]
    pub fn kinds(self, registry: Registry) -> Self {
        Self { registry, ..self }
    }

    /// Sets the number of visits at a time; with one, the default, a run is always the same.
    #[must_use]
    pub fn jobs(self, jobs: NonZeroUsize) -> Self {
        Self { jobs, ..self }
    }

    /// Sets the stop that ends a run early: actions that have not begun are skipped.
    #[must_use]
    pub fn stop(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }

    /// Chooses among ready visits by a seed instead of by written order: for tests.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }

    /// Records changes in a journal, and delivers the notifications that earlier runs did not.
    #[must_use]
    pub fn journal(self, journal: Arc<dyn Journal>) -> Self {
        Self { journal: Some(journal), ..self }
    }

    /// The number of concurrent visits.
    pub fn concurrency(&self) -> NonZeroUsize {
        self.jobs
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Checks statements: everything that can be known without the machine.
    pub fn check(&self, statements: Vec<Statement>, keep: Keep) -> (Option<Program>, Diagnostics) {
        let threads = if keep == Keep::UntilExit { self.jobs } else { NonZeroUsize::MIN };
        Program::check_on(threads, statements, &self.registry, (&self.machine.reading(), keep))
    }

    /// Plans or applies a program, with the kinds that it was checked with. All events go to `sink`, in order.
    pub fn run<'a>(&self, program: &Program, request: impl Into<Request<'a>>, sink: Sink<'_>) -> Summary {
        let request: Request<'_> = request.into();
        let overlay = (request.mode == Mode::Plan && !request.audit).then(|| self.machine.overlay());
        let host = overlay.as_ref().unwrap_or(&self.machine).act();
        let acts = request.mode == Mode::Apply && !request.audit;
        if acts {
            executor::leftovers::remove(program, &host, &self.stop, self.jobs);
        }
        let writes = acts.then(Writes::default);
        let journal = self.journal.as_deref().filter(|_| !request.audit);
        let last_applied = self.journal.as_deref();
        let visits =
            Visits { writes, journal, last_applied, ..Visits::new(program, host, request, &self.stop) };
        executor::run(&visits, self.seed, sink, self.jobs)
    }

    /// Applies a program, then watches for drift and repairs it, until this is [stopped](Self::stop) or ends by the
    /// terms of `request`. The summary counts everything since it began, but only failures that are left at the end.
    ///
    /// # Errors
    /// If the machine cannot be watched.
    pub fn watch(
        &self,
        program: Arc<Program>,
        request: &WatchRequest,
        control: &Control,
        sink: Sink<'_>,
    ) -> uphold_resource::Result<Summary> {
        Ok(Session::new(self, request, control)?.run(program, sink))
    }
}
