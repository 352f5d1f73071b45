//! A configuration without errors.

use std::sync::Arc;

use uphold_engine::{
    Control, EventKind, Failure, Mode, Program, Request, Sink, Summary, Verdict, WatchRequest,
};
use uphold_model::{Diagnostics, ResourceId, Sources};
use uphold_resource::{Error, Result};

use crate::saved_plan::Origin;

/// A configuration that was read and checked without errors, with the engine that checked it. Only
/// [`Configuration::check`](crate::Configuration::check) makes one, so whatever is planned or applied was checked.
pub struct Checked {
    pub(crate) core: uphold_engine::Engine,
    pub(crate) program: Arc<Program>,
    pub(crate) sources: Sources,
    pub(crate) warnings: Diagnostics,
    pub(crate) origin: Option<Origin>,
}

impl Checked {
    /// Shows what an apply would change. Everything that happens goes to `sink`, in one order.
    ///
    /// # Errors
    /// The first failure, if something fails or is skipped; see [`Checked::run`] for all of them.
    pub fn plan(&self, sink: Sink<'_>) -> Result<Summary> {
        self.whole(Mode::Plan, sink)
    }

    /// Makes the machine as declared. Everything that happens goes to `sink`, in one order.
    ///
    /// # Errors
    /// The first failure, if something fails or is skipped; see [`Checked::run`] for all of them.
    pub fn apply(&self, sink: Sink<'_>) -> Result<Summary> {
        self.whole(Mode::Apply, sink)
    }

    fn whole(&self, mode: Mode, sink: Sink<'_>) -> Result<Summary> {
        let mut failed: Option<Error> = None;
        let summary = self.run(mode, &mut |event| {
            if let EventKind::Finished { resource, verdict: Verdict::Failed(failure), .. } = &event.kind {
                failed.get_or_insert_with(|| failure_of(resource, failure));
            }
            sink(event);
        });
        match (summary.is_success(), failed) {
            (true, _) => Ok(summary),
            (false, Some(error)) => Err(error),
            (false, None) => {
                Err(Error::failed(format!("{} failed and {} skipped", summary.failed, summary.skipped)))
            }
        }
    }

    /// Plans or applies as `request` says. The summary counts failures; they are events, no errors.
    pub fn run<'a>(&self, request: impl Into<Request<'a>>, sink: Sink<'_>) -> Summary {
        self.core.run(&self.program, request, sink)
    }

    /// Applies it, and repairs drift until the engine is [stopped](crate::EngineBuilder::stop) or `request` is met. The
    /// configuration is not read again; for that see [`ConfigurationReader::watch`](crate::ConfigurationReader::watch).
    ///
    /// # Errors
    /// If the machine cannot be watched.
    pub fn watch(&self, request: &WatchRequest, control: &Control, sink: Sink<'_>) -> Result<Summary> {
        self.core.watch(self.program.clone(), request, control, sink)
    }

    /// The resources, their actions and their order, with the kinds that they were checked with.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The texts that it was written in.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// What is worth a look, but no error.
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// Its texts and its warnings, for programs that only show what was found.
    pub fn into_findings(self) -> (Sources, Diagnostics) {
        (self.sources, self.warnings)
    }

    /// What it was read from, if [`ConfigurationReader::logged`](crate::ConfigurationReader::logged) asked for it.
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }
}

/// A failed visit as one error for programs.
fn failure_of(resource: &ResourceId, failure: &Failure) -> Error {
    let chain =
        std::iter::once(&failure.message).chain(&failure.causes).cloned().collect::<Vec<_>>().join(": ");
    let error = Error::new(failure.kind, chain).while_(resource.to_string());
    failure.hint.iter().cloned().fold(error, Error::hint)
}
