//! The kind `group`.

mod resource;

pub use resource::{Group, GroupChange, GroupGoal, GroupState, GroupWishes};
