//! The kind `sudo`.

mod resource;
mod rule;

pub use resource::{Sudo, SudoChange, SudoGoal, SudoState, SudoWishes};
