//! The kind `line`.

mod anchor;
mod block;
pub(crate) mod document;
mod lines;
mod pattern;
mod resource;
mod single;

pub use anchor::Anchor;
pub(crate) use document::Document;
pub use lines::Lines;
pub use pattern::Pattern;
pub use resource::{Line, LineChange, LineGoal, LineState};
