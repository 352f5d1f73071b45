//! The kind `file`.

pub(crate) mod backup;
mod content;
mod creation_only;
mod digest;
mod resource;
mod state;

pub use content::Content;
pub use creation_only::CreationOnly;
pub use digest::Digest;
pub use resource::{File, FileChange, FileGoal, FileState, FileVerb};
