//! The kind `yaml_edit`.

mod block;
mod format;
mod reader;
mod resource;
mod scalar;

pub use resource::{YamlEdit, YamlEditChange, YamlEditGoal, YamlEditState, YamlEditWishes};
