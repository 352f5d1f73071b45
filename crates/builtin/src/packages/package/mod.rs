//! The kind `package`.

mod batch;
mod intent;
mod resource;

pub use resource::{Package, PackageChange, PackageGoal, PackageState, PackageWishes};
