//! Disks: what is on them, and where they are mounted.

mod alias;
mod escape;
mod filesystem;
mod fstab;
mod mount;
mod private_place;
mod signature;
mod swap;

pub use filesystem::{BlockDevice, Filesystem, FilesystemChange, FilesystemGoal, FilesystemState};
pub use mount::{Mount, MountChange, MountGoal, MountOptions, MountPoint, MountState};
pub use swap::{Swap, SwapChange, SwapGoal, SwapState};
