//! The kind `mount`.

mod device;
mod effect;
mod observed;
mod options;
mod point;
mod resource;
mod steps;
mod table;

pub use options::MountOptions;
pub use point::MountPoint;
pub use resource::{Mount, MountChange, MountGoal, MountState, MountWishes};
