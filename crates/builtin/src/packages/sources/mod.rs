//! The kind `apt_repository`.

mod document;
mod fields;
mod resource;
mod signed_by;

pub use fields::Fields;
pub use resource::{
    AptRepository, AptRepositoryChange, AptRepositoryGoal, AptRepositoryState, AptRepositoryWishes,
};
pub use signed_by::SignedBy;
