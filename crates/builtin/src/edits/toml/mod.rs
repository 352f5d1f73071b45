//! The kind `toml_edit`.

mod format;
mod reader;
mod resource;

pub use resource::{TomlEdit, TomlEditChange, TomlEditGoal, TomlEditState, TomlEditWishes};
