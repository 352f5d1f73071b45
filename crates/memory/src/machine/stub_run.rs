//! The run of a resource on a machine without an engine.

use uphold_model::{Attribute, Declaration, ResourceId};
use uphold_resource::{Around, NestedNotification, Registry, Result, Stop};

use super::host::MemoryHost;

/// A run that knows kinds, but no other resource.
pub(crate) struct StubRun {
    kinds: Registry,
    stop: Stop,
}

impl MemoryHost {
    /// Makes these kinds available to kinds that declare nested resources, without a run.
    #[must_use]
    pub fn kinds(mut self, kinds: &Registry) -> Self {
        self.machine.take();
        self.run = Some(StubRun { kinds: kinds.clone(), stop: Stop::default() }.into());
        self
    }
}

impl Around for StubRun {
    fn kinds(&self) -> &Registry {
        &self.kinds
    }

    fn stop(&self) -> &Stop {
        &self.stop
    }

    fn depth(&self) -> usize {
        0
    }

    fn find(&self, _: &ResourceId) -> Option<Declaration> {
        None
    }

    fn edit(&self, _: &ResourceId, _: Vec<Attribute>) -> Result<bool> {
        Ok(false)
    }

    fn notify(&self, _: &NestedNotification<'_>) -> Result<bool> {
        Ok(false)
    }
}
