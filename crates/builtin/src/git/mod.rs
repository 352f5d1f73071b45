//! The kind `git`.

mod checkout;
mod commit;
mod resource;
mod revision;
mod tool;
mod update;

pub use commit::Commit;
pub use resource::{Git, GitChange, GitGoal, GitState};
