//! The kind `directory`.

mod entry;
mod purge;
mod resource;

pub use purge::Purge;
pub use resource::{Directory, DirectoryChange, DirectoryGoal, DirectoryState, DirectoryWishes};
