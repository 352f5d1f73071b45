//! What is asked of a run.

use std::num::NonZeroUsize;

use uphold_model::{Action, ResourceId};

use crate::event::{Change, Mode};
use crate::graph::NodeIndex;
use crate::selection::Selection;

/// How a program is run. [`Mode`] alone is a request without limits.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// Whether it looks or acts.
    pub mode: Mode,
    /// Look and report, never change; unlike a plan, nothing is predicted.
    pub audit: bool,
    /// What is run; everything unless set.
    pub selection: Option<&'a Selection>,
    /// How many actions may change something. What comes after them is skipped.
    pub max_changes: Option<usize>,
    /// After so many failures, nothing new is started.
    pub stop_after_failures: Option<NonZeroUsize>,
    /// Who is asked before each change.
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

/// Says whether a change may be made: how a saved plan is kept.
pub trait Approval: Send + Sync {
    /// Asked when it is clear what would be changed, before it is. `change` is none if the resource is as
    /// declared. `node` is the action's place in the list, as in the run that made the plan.
    ///
    /// # Errors
    /// What is not as it should be, in a few words; the change is not made.
    fn approve(
        &self,
        node: NodeIndex,
        resource: &ResourceId,
        action: &Action,
        change: Option<&Change>,
    ) -> Result<(), String>;
}
