//! The parent run of a nested run.

use uphold_model::{Action, Attribute, Declaration, Moment, ResourceId};

use crate::error::Result;
use crate::registry::Registry;
use crate::stop::Stop;

/// The run that a visit belongs to, for kinds that declare nested resources.
pub trait Around: Sync {
    /// The known kinds.
    fn kinds(&self) -> &Registry;

    /// The request to end the run early.
    fn stop(&self) -> &Stop;

    /// The nesting depth of the visit; 1 at the top.
    fn depth(&self) -> usize;

    /// The declaration of this id, in this run or in a parent run.
    fn find(&self, id: &ResourceId) -> Option<Declaration>;

    /// Overrides properties of a declared resource; false if the id is not declared.
    ///
    /// # Errors
    /// If the resource cannot be changed any more.
    fn edit(&self, id: &ResourceId, attributes: Vec<Attribute>) -> Result<bool>;

    /// Notifies a declared resource; false if the id is not declared. A notification that is delivered before or immediately
    /// returns when the action has ended.
    ///
    /// # Errors
    /// If the resource has no such action; if the action runs before or immediately, and fails or cannot run.
    fn notify(&self, notification: &NestedNotification<'_>) -> Result<bool>;
}

/// A notification from a nested resource.
#[derive(Clone, Copy, Debug)]
pub struct NestedNotification<'a> {
    /// The notified resource.
    pub id: &'a ResourceId,
    /// Its action.
    pub action: &'a Action,
    /// When it runs.
    pub moment: Moment,
    /// Whether the sender only predicts its effects.
    pub tries: bool,
    /// Whether it is delivered. A plan runs a nested resource twice, as a prediction and on an overlay, and only one of the
    /// two counts; the other only checks that the resource is declared.
    pub counts: bool,
}
