//! Groups of actions.

use std::num::NonZeroU32;

use crate::handling::Handling;
use crate::id::Name;
use crate::place::Place;

/// Actions that stand together: they have one condition, one notification, and a queue of their own
/// for what is put off to their end.
#[derive(Clone, Debug)]
pub struct ActionGroup {
    /// What it is called, if it is called anything.
    pub name: Option<Name>,
    /// How its members are run.
    pub order: Order,
    /// How many members are under way at a time; as many as there are unless set.
    pub concurrency: Option<NonZeroU32>,
    /// What happens around the group as a whole. Of `subscribes`, each says whose change makes it run.
    pub handling: Option<Box<Handling>>,
    /// Where it was written: the block's head.
    pub place: Option<Place>,
}

impl ActionGroup {
    /// A group without a name, a limit or a place.
    pub fn new(order: Order) -> Self {
        Self { name: None, order, concurrency: None, handling: None, place: None }
    }
}

/// How the members of a group are run. A group inside it is one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// One after the other, as written.
    Sequence,
    /// As their own dependencies allow.
    Parallel,
}
