//! The kind `mount`.

mod device;
mod effect;
mod options;
mod point;
mod resource;
mod sight;
mod steps;
mod table;

pub use options::MountOptions;
pub use point::MountPoint;
pub use resource::{Mount, MountChange, MountGoal, MountState};
