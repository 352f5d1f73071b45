//! Undoing changes: how the state before a change is recorded, and the declaration that brings it back.

mod declaration;
mod previous;
mod recorded;

pub use declaration::{Inverse, inverse};
pub use previous::{Irreversible, Previous};
pub use recorded::{RecordedChange, RecordedState, Untouched};
