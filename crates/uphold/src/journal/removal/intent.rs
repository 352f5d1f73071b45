//! What is meant to happen to a resource that is no longer declared.

use uphold_engine::Program;
use uphold_journal::AppliedResource;
use uphold_model::{OnRemoval, ResourceId};

/// What is meant to happen to a resource that is no longer declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Intent {
    /// It is listed.
    Keep,
    /// It is no longer listed.
    Forget,
    /// It is removed. `is_explicit`: a `removed` or `moved` block names it. It is removed `after` the resource that replaces
    /// it.
    Remove { is_explicit: bool, after: Option<ResourceId> },
    /// It gets its first previous values back.
    Revert,
}

impl Intent {
    /// By the blocks of the program, else by the last declaration.
    pub(super) fn of(record: &AppliedResource, program: &Program) -> Self {
        if let Some(to) = program.moved_to(&record.address) {
            return Intent::Remove { is_explicit: true, after: Some(to) };
        }
        if let Some(removed) = program.removed().iter().find(|removed| removed.covers(&record.address)) {
            let remove = Intent::Remove { is_explicit: true, after: None };
            return if removed.destroy { remove } else { Intent::Forget };
        }
        match record.on_removal.as_deref().and_then(OnRemoval::named) {
            Some(OnRemoval::Remove) => Intent::Remove { is_explicit: false, after: None },
            Some(OnRemoval::Revert) => Intent::Revert,
            Some(OnRemoval::Keep) | None => Intent::Keep,
        }
    }
}
