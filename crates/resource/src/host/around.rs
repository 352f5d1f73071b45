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

    /// Asks for an action of a declared resource; false if there is none under this id.
    ///
    /// # Errors
    /// If it is done at once, and fails.
    fn ask(&self, asked: &Asking<'_>) -> Result<bool>;
}

/// An action that a resource asks for which was declared inside another one.
#[derive(Clone, Copy, Debug)]
pub struct Asking<'a> {
    /// Of which resource.
    pub id: &'a ResourceId,
    /// What.
    pub action: &'a Action,
    /// When.
    pub moment: Moment,
    /// Whether who asks only tries what it would do.
    pub tries: bool,
}
