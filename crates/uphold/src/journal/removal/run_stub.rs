//! The run of a resource that is loaded before the run: kinds that declare nested resources need the other kinds.

use uphold_model::{Attribute, Declaration, ResourceId};
use uphold_resource::{Around, NestedNotification, Registry, Result, RunView, Stop};

/// A run that knows kinds, but no resource.
pub(super) struct RunStub<'a> {
    kinds: &'a Registry,
    stop: Stop,
}

impl<'a> RunStub<'a> {
    pub(super) fn new(kinds: &'a Registry) -> Self {
        Self { kinds, stop: Stop::default() }
    }
}

impl RunView for RunStub<'_> {
    fn around(&self) -> Option<&dyn Around> {
        Some(self)
    }
}

impl Around for RunStub<'_> {
    fn kinds(&self) -> &Registry {
        self.kinds
    }

    fn stop(&self) -> &Stop {
        &self.stop
    }

    fn depth(&self) -> usize {
        1
    }

    fn find(&self, _: &ResourceId) -> Option<Declaration> {
        None
    }

    fn edit(&self, _: &ResourceId, _: Vec<Attribute>) -> Result<bool> {
        Ok(false)
    }

    /// Nothing is delivered: the resource is only loaded, and the visit that removes it checks its targets.
    fn notify(&self, _: &NestedNotification<'_>) -> Result<bool> {
        Ok(true)
    }
}
