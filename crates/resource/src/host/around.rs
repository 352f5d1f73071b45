//! The run around a visit.

use uphold_model::{Action, Attribute, Declaration, Moment, ResourceId};

use crate::error::Result;
use crate::registry::Registry;
use crate::stop::Stop;

/// The run around a visit: for kinds that declare resources of their own.
pub trait Around: Sync {
    /// The kinds that are known.
    fn kinds(&self) -> &Registry;

    /// When to end early.
    fn stop(&self) -> &Stop;

    /// How many visits stand inside each other here, this one included.
    fn depth(&self) -> usize;

    /// What was declared under this id, here or further out.
    fn find(&self, id: &ResourceId) -> Option<Declaration>;

    /// Sets properties of a declared resource anew; false if there is none under this id.
    ///
    /// # Errors
    /// If it cannot be changed any more.
    fn edit(&self, id: &ResourceId, attributes: Vec<Attribute>) -> Result<bool>;

    /// Notifies a declared resource; false if there is none under this id. Before or immediately: returns when its action
    /// is over.
    ///
    /// # Errors
    /// If the resource has no such action; if it runs before or immediately, and fails or cannot run.
    fn notify(&self, notification: &NestedNotification<'_>) -> Result<bool>;
}

/// A notification that is sent by a resource which was declared inside another one.
#[derive(Clone, Copy, Debug)]
pub struct NestedNotification<'a> {
    /// The resource that is notified.
    pub id: &'a ResourceId,
    /// Its action.
    pub action: &'a Action,
    /// When it runs.
    pub moment: Moment,
    /// Whether the sender only tries what it would do.
    pub tries: bool,
    /// Whether it is delivered. A plan tries and acts on an overlay, and only one of the two counts; the other only
    /// finds out whether there is such a resource.
    pub counts: bool,
}
