//! How a program is built from its parts.

use std::num::NonZeroUsize;
use std::sync::OnceLock;

use uphold_model::{Claims, InactiveBlock, shed};
use uphold_resource::{Reading, Registry};

use super::digest::SetDigest;
use super::list::ActionList;
use super::set::ResourceSet;

/// How much of its declarations a program keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All of it, for a plan that is saved.
    All,
    /// All of it, in a process that ends after the run: many resources are decoded on several threads.
    UntilExit,
    /// Less memory, for a long watch. A saved plan would lack the declared values.
    ForWatch,
}

/// How a program is built.
pub(super) struct Building<'a> {
    pub(super) observe: &'a Reading<'a>,
    pub(super) keep: Keep,
    /// The number of threads that decode.
    pub(super) threads: NonZeroUsize,
}

impl Building<'_> {
    /// The digest of a program that is about to forget its known values; otherwise it is computed when it is needed.
    pub(super) fn digest(
        &self,
        set: &ResourceSet,
        list: &ActionList,
        inactive: &[InactiveBlock],
    ) -> OnceLock<SetDigest> {
        let is_forgotten = self.keep == Keep::ForWatch;
        if is_forgotten { SetDigest::of(set, list, inactive).into() } else { OnceLock::new() }
    }

    /// Frees claims, unless that takes time for nothing.
    pub(super) fn free(&self, claims: Vec<Claims>) {
        if self.keep == Keep::UntilExit {
            std::mem::forget(claims);
        } else {
            shed(claims);
        }
    }
}

/// Whether a nested resource may notify any action of any resource: a kind that is not compiled in may declare resources of
/// its own. Then the declared values are needed again.
pub(super) fn has_nested(set: &ResourceSet, registry: &Registry) -> bool {
    set.iter().any(|(_, declared)| {
        registry.get(&declared.declaration.id.kind).is_some_and(|kind| !kind.is_compiled())
    })
}
