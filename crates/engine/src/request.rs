//! Requests: how a program is run.

use std::num::NonZeroUsize;

use uphold_model::{Action, ResourceId};

use crate::event::{Change, Mode};
use crate::graph::NodeIndex;
use crate::selection::Selection;

/// How a program is run. [`Mode`] alone is a request without limits.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// Whether it plans or applies.
    pub mode: Mode,
    /// Load and report, never change; unlike a plan, nothing is predicted.
    pub audit: bool,
    /// The actions that run; all of them unless set.
    pub selection: Option<&'a Selection>,
    /// The number of actions that may change something. Further ones are skipped.
    pub max_changes: Option<usize>,
    /// After this many failures, no action begins.
    pub stop_after_failures: Option<NonZeroUsize>,
    /// Approves each change.
    pub approval: Option<&'a dyn Approval>,
}

impl Request<'_> {
    /// Whether an action is run.
    pub(crate) fn selects(&self, node: NodeIndex) -> bool {
        self.selection.is_none_or(|selection| selection.contains(node))
    }
}

impl From<Mode> for Request<'_> {
    fn from(mode: Mode) -> Self {
        Self {
            mode,
            audit: false,
            selection: None,
            max_changes: None,
            stop_after_failures: None,
            approval: None,
        }
    }
}

/// Decides whether a change may be made: so a saved plan is applied exactly.
pub trait Approval: Send + Sync {
    /// Called when a change is known, before it is made. `change` is none if the resource is as declared. `node` is the index
    /// of the action in the list, as in the run that made the plan.
    ///
    /// # Errors
    /// How the change differs from the plan, in a few words; it is not made.
    fn approve(
        &self,
        node: NodeIndex,
        resource: &ResourceId,
        action: &Action,
        change: Option<&Change>,
    ) -> Result<(), String>;
}
