//! The kind `archive`.

mod comparison;
mod differing;
mod extraction;
mod manifest;
mod pattern;
mod resource;
mod selection;

pub use differing::Differing;
pub use manifest::Limits;
pub use pattern::PathPattern;
pub use resource::{Archive, ArchiveChange, ArchiveGoal, ArchiveState, ArchiveWishes};
pub use selection::Selection;
