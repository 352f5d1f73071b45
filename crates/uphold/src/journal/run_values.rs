//! The values that a run has applied so far, and those of the configuration before it.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_engine::{ChangeKind, Summary};
use uphold_journal::{AppliedResource, LastSet, LeftResource, ResourceKey, SealedRecord};
use uphold_model::ResourceId;
use uphold_resource::{Machine, Registry};

use super::left::DeclaredKeys;
use super::removal::Removals;
use super::unfinished::UnrecordedChange;

#[derive(Default)]
pub(super) struct RunValues {
    /// The start of the digest of the declared set.
    pub(super) start_of_set: String,
    /// The set, if it was applied before.
    pub(super) last_set: Option<LastSet>,
    /// Resources that are looked at in any case.
    pub(super) uncovered: FxHashSet<ResourceId>,
    /// The declared resources, if those that are no longer declared have to be found.
    pub(super) declared: Option<DeclaredKeys>,
    /// Whether the run visits every resource.
    pub(super) is_whole: bool,
    /// The changes of killed runs.
    pub(super) unfinished: FxHashMap<ResourceKey, UnrecordedChange>,
    pub(super) changed: FxHashMap<ResourceId, BegunChange>,
    pub(super) found: FxHashMap<ResourceKey, FoundResource>,
    /// The resources that are no longer declared, and what the run does with them.
    pub(super) removals: Arc<Removals>,
    /// The records of removals that were made.
    pub(super) removed: Vec<ResourceKey>,
    /// Where resources that are no longer declared are looked for after the run.
    pub(super) machine: Option<(Machine, Registry)>,
    /// The resources that are no longer declared, as of the last run.
    pub(super) left: Vec<LeftResource>,
}

/// A change of a resource, and the number of its action in the run.
#[derive(Clone, Copy)]
pub(super) struct BegunChange {
    pub(super) kind: ChangeKind,
    pub(super) action: Option<u64>,
}

/// A resource that is as declared.
pub(super) struct FoundResource {
    pub(super) id: ResourceId,
    pub(super) record: FoundRecord,
    /// The hash of values that the digest of the set does not cover; else 0.
    pub(super) uncovered: u64,
    /// Whether this run changed it: then its record is written even if the digest stays the same.
    pub(super) is_changed: bool,
    /// The first change of it that no record mentions.
    pub(super) first_change: Option<UnrecordedChange>,
}

pub(super) enum FoundRecord {
    /// A record that may have to be joined with the last one.
    Whole(Box<AppliedResource>),
    /// The first record.
    Sealed(SealedRecord),
}

impl RunValues {
    /// The first change of a resource that no record mentions: by killed runs, or earlier in this run.
    pub(super) fn unrecorded(&self, key: &ResourceKey) -> Option<UnrecordedChange> {
        self.unfinished.get(key).copied().or_else(|| self.found.get(key)?.first_change)
    }

    /// The set that is applied completely now; none if resources are left that were not looked at.
    pub(super) fn set(&self, summary: Option<&Summary>, looks_at_all: bool) -> Option<String> {
        let last = self.last_set.as_ref().map(|last| last.set.clone());
        let complete = summary.filter(|summary| {
            self.is_whole && summary.failed == 0 && summary.skipped == 0 && summary.ignored == 0
        });
        let Some(Summary { not_wanted, differ, .. }) = complete else {
            return last.filter(|_| !looks_at_all);
        };
        let uncovered = self.found.values().fold(0_u64, |sum, found| sum.wrapping_add(found.uncovered));
        let other = not_wanted + differ;
        let set = format!("{}{uncovered:016x}.{other}", self.start_of_set);
        // With another number of skipped resources, one that has no record may have been visited.
        let is_known = looks_at_all || last.is_none_or(|last| last.ends_with(&format!(".{other}")));
        is_known.then_some(set)
    }
}
