//! Groups of actions.

use std::num::NonZeroU32;

use super::id::Name;
use crate::handling::{Handling, Notification};
use crate::place::Place;

/// A group of actions with shared conditions and notifications, and with its own queue of delayed notifications.
#[derive(Clone, Debug)]
pub struct ActionGroup {
    /// Its label, if it has one.
    pub name: Option<Name>,
    /// How its members are run.
    pub order: Order,
    /// The maximum number of members that run at the same time; unlimited unless set.
    pub concurrency: Option<NonZeroU32>,
    /// Meta arguments of the group as a whole. Each `subscribes` names a resource whose change lets the group run.
    pub handling: Option<Box<Handling>>,
    /// How the changes of its members are verified.
    pub verify: Option<Box<Verification>>,
    /// The header of its block.
    pub place: Option<Place>,
}

impl ActionGroup {
    /// A group without a name, limit or place.
    pub fn new(order: Order) -> Self {
        Self { name: None, order, concurrency: None, handling: None, verify: None, place: None }
    }
}

/// The verification of a group: an action that runs once its changed members are in place and before their notifications
/// are delivered. If it fails, the changes are undone.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The resource and its action.
    pub by: Notification,
    /// The property of that resource that holds the command; its errors begin with it.
    pub property: Name,
    /// The command, for messages.
    pub command: Name,
}

/// How the members of a group are run. A group inside it is one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// One after the other, in written order.
    Sequence,
    /// At the same time, as far as their dependencies allow.
    Parallel,
}
