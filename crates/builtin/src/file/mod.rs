//! The kind `file`.

mod content;
mod resource;
mod state;

pub use content::Content;
pub use resource::{File, FileChange, FileGoal, FileState, FileVerb, FileWishes};
