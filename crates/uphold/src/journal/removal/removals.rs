//! The removals of a run.

use rustc_hash::FxHashMap;
use uphold_engine::Program;
use uphold_journal::{AppliedResource, BlockRemoval, ResourceKey, TooManyRemovals};
use uphold_model::{OnRemoval, ResourceId, Statement};

/// What a run does with the resources that are no longer declared.
#[derive(Debug, Default)]
pub struct Removals {
    pub(super) statements: Vec<Statement>,
    /// All resources that are no longer declared, by their last address.
    pub(super) left: FxHashMap<String, ResourceKey>,
    /// The resources that the statements remove or revert.
    pub(super) planned: FxHashMap<ResourceId, ResourceKey>,
    /// The resources among them that a `moved` block replaces, with the declared ones.
    pub(super) moved: FxHashMap<ResourceId, ResourceId>,
    /// Resources that do not exist any more, or are not listed on request.
    pub(super) forgotten: Vec<ResourceKey>,
    /// Resources that were to be removed and are not, with the reason.
    pub(super) refused: FxHashMap<ResourceKey, String>,
    /// Kept resources that a `removed` block would remove, in the order of their removal.
    pub(super) removable: Vec<ResourceKey>,
    /// Kept resources that a `removed` block would not remove, with the reason.
    pub(super) obstacles: FxHashMap<ResourceKey, String>,
    too_many: Option<TooMany>,
}

const NO_LONGER_DECLARED: &str = "it is no longer declared";
const MOVED_TO: &str = "it moved to ";

/// Whether this is the recorded reason of a removal or a revert of a resource that is no longer declared.
pub fn is_removal_reason(why: &str) -> bool {
    why == NO_LONGER_DECLARED || why.starts_with(MOVED_TO)
}

/// Removals that look like a mistake. None of them is made.
#[derive(Clone, Debug)]
pub struct TooMany {
    /// Why they look like one.
    pub reason: TooManyRemovals,
    /// Their addresses.
    pub addresses: Vec<String>,
}

impl Removals {
    /// Whether the run has nothing to do for them.
    pub fn is_empty(&self) -> bool {
        self.planned.is_empty()
            && self.forgotten.is_empty()
            && self.refused.is_empty()
            && self.too_many.is_none()
    }

    /// Whether the run removes or reverts something.
    pub fn has_changes(&self) -> bool {
        !self.planned.is_empty()
    }

    /// Whether the run removes or reverts this resource.
    pub(crate) fn removes(&self, resource: &ResourceId) -> bool {
        self.planned(resource).is_some()
    }

    /// Why a resource that was to be removed stays; none if it is removed, or does not exist any more.
    pub fn why_left(&self, resource: &ResourceId) -> Option<&str> {
        let Some(key) = self.left.get(&resource.to_string()) else { return Some("there is no record of it") };
        if self.ends(key) {
            return None;
        }
        Some(self.refusal(key).map_or("it is to be kept by now", String::as_str))
    }

    /// The removals that were refused as a whole, if they were.
    pub fn too_many(&self) -> Option<&TooMany> {
        self.too_many.as_ref()
    }

    /// Makes none of them: they look like a mistake.
    pub(super) fn refuse_all(self, too_many: TooMany) -> Self {
        let number = too_many.addresses.len();
        let reason =
            format!("{number} removals at once look like a mistake; --allow-removals {number} allows them");
        Self { too_many: Some(too_many), ..self.without_changes(&reason) }
    }

    /// Makes none of them, for this reason.
    #[must_use]
    pub(crate) fn without_changes(mut self, reason: &str) -> Self {
        let refused = self.planned.drain().map(|(_, key)| (key, reason.to_owned()));
        self.refused.extend(refused);
        Self { statements: Vec::new(), ..self }
    }

    /// Takes the statements that make them.
    pub(crate) fn take_statements(&mut self) -> Vec<Statement> {
        std::mem::take(&mut self.statements)
    }

    /// Why a resource is not removed, if it was to be.
    pub(in crate::journal) fn refusal(&self, key: &ResourceKey) -> Option<&String> {
        self.refused.get(key)
    }

    /// Whether a `removed` block would remove a resource that is kept; none if that was not tried.
    pub(in crate::journal) fn removal(&self, key: &ResourceKey) -> Option<BlockRemoval> {
        let order = self.removable.iter().position(|removable| removable == key);
        order.map(BlockRemoval::Works).or_else(|| self.obstacles.get(key).cloned().map(BlockRemoval::Fails))
    }

    /// The record of a resource that is removed or reverted.
    pub(in crate::journal) fn planned(&self, resource: &ResourceId) -> Option<&ResourceKey> {
        if self.planned.is_empty() { None } else { self.planned.get(resource) }
    }

    /// Why a resource is removed or reverted, as a clause after `because`; none if it is not.
    pub(in crate::journal) fn why(&self, resource: &ResourceId) -> Option<String> {
        self.planned(resource)?;
        let moved = self.moved.get(resource).map(|to| format!("{MOVED_TO}{to}"));
        Some(moved.unwrap_or_else(|| NO_LONGER_DECLARED.to_owned()))
    }

    /// Whether a record ends with the run, if it succeeds.
    pub(in crate::journal) fn ends(&self, key: &ResourceKey) -> bool {
        self.forgotten.contains(key) || self.planned.values().any(|planned| planned == key)
    }

    /// The records that end with the run.
    pub(in crate::journal) fn forgotten(&self) -> &[ResourceKey] {
        &self.forgotten
    }
}

// What is meant to happen to a resource that is no longer declared.

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
