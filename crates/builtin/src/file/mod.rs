//! The kind `file`.

mod backup;
mod content;
mod digest;
mod resource;
mod state;
mod verification;

pub use content::Content;
pub use digest::Digest;
pub use resource::{File, FileChange, FileGoal, FileState, FileVerb};
