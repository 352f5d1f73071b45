//! Functions on lists and sets.

pub(crate) mod arrangement;
pub(crate) mod choice;
pub(crate) mod selection;
pub(crate) mod sets;
