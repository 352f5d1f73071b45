//! The kind `package`.

mod batch;
mod intent;
mod purge;
mod resource;

pub use purge::Purge;
pub use resource::{Package, PackageChange, PackageGoal, PackageState};
