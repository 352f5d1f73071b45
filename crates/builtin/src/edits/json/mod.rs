//! The kind `json_edit`.

mod format;
mod reader;
mod resource;

pub(crate) use format::{collection, quoted, read, write, written};
pub use resource::{JsonEdit, JsonEditChange, JsonEditGoal, JsonEditState, JsonEditWishes};
