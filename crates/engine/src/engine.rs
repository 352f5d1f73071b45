//! The engine as programs use it.

use std::num::NonZeroUsize;
use std::sync::Arc;

use uphold_model::{Diagnostics, Statement};
use uphold_resource::{KindError, Machine, Registry, Resource, Stop};

use crate::control::{Control, WatchRequest};
use crate::dispatcher::Sink;
use crate::event::Mode;
use crate::executor;
use crate::program::{Keep, Program};
use crate::request::Request;
use crate::summary::Summary;
use crate::visit::Visits;
use crate::visit::overwritten::Writes;
use crate::watch::Session;

/// Checks, plans and applies. Knows the kinds and the machine; holds no state between runs.
#[derive(Clone)]
pub struct Engine {
    pub(crate) registry: Registry,
    machine: Machine,
    pub(crate) jobs: NonZeroUsize,
    pub(crate) seed: Option<u64>,
    pub(crate) stop: Stop,
}

impl Engine {
    /// Begins to put an engine together.
    pub fn builder() -> EngineBuilder<()> {
        EngineBuilder {
            registry: Registry::default(),
            machine: (),
            jobs: NonZeroUsize::MIN,
            seed: None,
            stop: Stop::default(),
        }
    }

    /// The kinds it knows.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The same with other kinds: those of one configuration. Costs little.
    #[must_use]
    pub fn with_kinds(&self, registry: Registry) -> Self {
        Self { registry, ..self.clone() }
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Checks statements: everything that can be known without touching the machine.
    pub fn check(&self, statements: Vec<Statement>, keep: Keep) -> (Option<Program>, Diagnostics) {
        Program::check(statements, &self.registry, &self.machine.reading(), keep)
    }

    /// Plans or applies a program, with the kinds that it was checked with. Everything that happens goes to `sink`, in one order.
    pub fn run<'a>(&self, program: &Program, request: impl Into<Request<'a>>, sink: Sink<'_>) -> Summary {
        let request: Request<'_> = request.into();
        let overlay = (request.mode == Mode::Plan && !request.audit).then(|| self.machine.overlay());
        let host = overlay.as_ref().unwrap_or(&self.machine).act();
        let acts = request.mode == Mode::Apply && !request.audit;
        if acts {
            program.remove_leftovers(&host, &self.stop);
        }
        let writes = acts.then(Writes::default);
        let visits = Visits { writes, ..Visits::new(program, host, request, &self.stop) };
        executor::run(&visits, self.seed, sink, self.jobs)
    }

    /// Applies a program and stays: what drifts is repaired, until this is [stopped](EngineBuilder::stop) or has come
    /// to what `request` says. The summary counts everything since it began; but failed are those that are so at the end.
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

/// Puts an engine together. Without a machine there is nothing to build, and the compiler says so.
pub struct EngineBuilder<H> {
    registry: Registry,
    machine: H,
    jobs: NonZeroUsize,
    seed: Option<u64>,
    stop: Stop,
}

impl<H> EngineBuilder<H> {
    /// For this machine.
    pub fn host(self, machine: impl Into<Machine>) -> EngineBuilder<Machine> {
        let Self { registry, jobs, seed, stop, .. } = self;
        EngineBuilder { registry, machine: machine.into(), jobs, seed, stop }
    }

    /// With the kind `R`.
    ///
    /// # Errors
    /// If the name is taken, or a default breaks the kind's own rules.
    pub fn kind<R: Resource>(mut self) -> Result<Self, KindError> {
        self.registry.add::<R>()?;
        Ok(self)
    }

    /// With these kinds, instead of those so far.
    #[must_use]
    pub fn kinds(self, registry: Registry) -> Self {
        Self { registry, ..self }
    }

    /// With this many visits at a time; one unless set, which is always the same run.
    #[must_use]
    pub fn jobs(self, jobs: NonZeroUsize) -> Self {
        Self { jobs, ..self }
    }

    /// Ending early when this is requested: what was not begun is skipped.
    #[must_use]
    pub fn stop(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }

    /// Choosing among what is ready by a seed instead of by written order: for tests.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }
}

impl EngineBuilder<Machine> {
    /// The engine.
    pub fn build(self) -> Engine {
        let Self { registry, machine, jobs, seed, stop } = self;
        Engine { registry, machine, jobs, seed, stop }
    }
}
