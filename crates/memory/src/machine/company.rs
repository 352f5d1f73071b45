//! What is around a resource on a machine where nothing runs but it.

use uphold_model::{Attribute, Declaration, ResourceId};
use uphold_resource::{Around, NestedNotification, Registry, Result, Stop};

use super::host::MemoryHost;

/// Kinds, and no other resource.
pub(crate) struct Company {
    kinds: Registry,
    stop: Stop,
}

impl MemoryHost {
    /// Gives kinds to those that declare resources themselves, without a run around them.
    #[must_use]
    pub fn kinds(mut self, kinds: &Registry) -> Self {
        self.machine.take();
        self.company = Some(Company { kinds: kinds.clone(), stop: Stop::default() }.into());
        self
    }
}

impl Around for Company {
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
