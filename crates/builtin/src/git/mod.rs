//! The kind `git`.

mod address;
mod checkout;
mod commit;
mod identity;
mod leftovers;
mod locks;
mod pending;
mod repair;
mod resource;
mod revision;
mod tool;
mod update;

pub use commit::Commit;
pub use resource::{Git, GitChange, GitGoal, GitState, GitWishes};
