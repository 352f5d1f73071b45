//! The kind `directory`.

mod entry;
mod purge;
mod resource;
mod strangers;

pub use purge::Purge;
pub use resource::{Directory, DirectoryChange, DirectoryGoal, DirectoryState};
