//! The kind `link`.

mod resource;
mod target;

pub use resource::{Link, LinkChange, LinkGoal, LinkState, LinkType, LinkWishes};
pub use target::Target;
