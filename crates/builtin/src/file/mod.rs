//! The kind `file`.

mod content;
mod creation_only;
mod resource;
mod state;

pub use content::Content;
pub use creation_only::CreationOnly;
pub use resource::{File, FileChange, FileGoal, FileState, FileVerb};
