//! Removals that are tried on an overlay of the machine.

use std::cmp::Reverse;

use uphold_model::{Attribute, Claim, Declaration, ResourceId};
use uphold_resource::{
    Act, Around, Desired, ErrorKind, Instance, Look, Machine, NestedNotification, Reading, Registry, Result,
    RunView, Stop,
};

use super::super::left::DeclaredResources;
use super::conflicts::DeclaredClaims;
use super::redeclared::{Redeclared, Refusal};

/// The result of a removal that was tried.
pub(super) enum Tried {
    Removable,
    /// A declared resource is the same thing on the machine, or needs it: it only has another name or kind.
    SameAsDeclared,
    Refused(Refusal),
}

/// An overlay on which removals are tried, one after the other.
pub(super) struct Trial<'a> {
    pub(super) overlay: Machine,
    pub(super) kinds: &'a Registry,
    pub(super) declared: &'a DeclaredResources<'a>,
    pub(super) claims: &'a DeclaredClaims<'a>,
}

impl Trial<'_> {
    /// Removes a resource on the overlay. The content of a directory must come first.
    pub(super) fn remove(&self, redeclared: &Redeclared) -> Tried {
        let host = self.overlay.reading();
        let alike = self.claims.alike(&redeclared.id.kind, &redeclared.instance.claims());
        let existing: Vec<ResourceId> = alike.into_iter().filter(|id| self.exists(id, &host)).collect();
        match self.try_to_remove(&*redeclared.instance) {
            Ok(()) => {}
            Err(error) if matches!(error.kind(), ErrorKind::Unpredictable | ErrorKind::NotYet) => {}
            Err(error) => return Tried::Refused(error.chain()),
        }
        if existing.iter().all(|id| self.exists(id, &host)) {
            Tried::Removable
        } else {
            Tried::SameAsDeclared
        }
    }

    fn try_to_remove(&self, instance: &dyn Instance) -> Result<()> {
        let run = RunStub::new(self.kinds);
        let host = Act::new(&self.overlay, None, &run);
        let seen = instance.observe(Desired::Absent, &host)?;
        instance.apply(&seen, &host)
    }

    fn exists(&self, id: &ResourceId, host: &Reading<'_>) -> bool {
        let exists =
            |instance: &dyn Instance| instance.look(&Look::to_read(host)).is_ok_and(|seen| seen.exists);
        self.declared.with(id, exists).unwrap_or_default()
    }
}

/// Sorts the content of a directory before the directory.
pub(super) fn order_key(redeclared: &Redeclared) -> Reverse<usize> {
    let claims = redeclared.instance.claims();
    let depth = claims.holds.iter().filter_map(|claim| match claim {
        Claim::Path(path) => Some(path.components().count()),
        _ => None,
    });
    Reverse(depth.max().unwrap_or(usize::MAX))
}

// The run of a resource that is loaded before the run: kinds that declare nested resources need the other kinds.

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
