//! The kind `link`.

mod resource;
mod target;

pub use resource::{Link, LinkChange, LinkGoal, LinkState, LinkType};
pub use target::Target;
