//! Removals that are tried on an overlay of the machine.

use std::cmp::Reverse;

use uphold_model::{Claim, ResourceId};
use uphold_resource::{Act, Desired, ErrorKind, Instance, Look, Machine, Reading, Registry};

use super::super::left::DeclaredResources;
use super::conflicts::DeclaredClaims;
use super::redeclared::{Redeclared, Refusal};
use super::run_stub::RunStub;

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

    fn try_to_remove(&self, instance: &dyn Instance) -> uphold_resource::Result<()> {
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
