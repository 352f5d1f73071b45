//! The kind `line`.

mod anchor;
mod block;
mod insertion;
mod lines;
mod resource;
mod single;

pub use anchor::Anchor;
pub use lines::Lines;
pub use resource::{Line, LineChange, LineGoal, LineState, LineWishes};
