//! Undoing recorded actions: statements that bring the states before them back.

mod changed_since;
mod plan;
mod records;
mod step;
mod target;
mod undone;

pub(super) use changed_since::secret_identities;
pub use plan::{NotUndone, Undo, UndoRequest};
pub(super) use records::update_records;
pub use undone::UndoneChanges;
