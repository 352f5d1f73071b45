//! The kinds `filesystem`, `mount` and `swap`.

mod alias;
mod escape;
mod filesystem;
mod fstab;
mod mount;
mod safe_path;
mod signature;
mod swap;

pub use filesystem::{
    BlockDevice, Filesystem, FilesystemChange, FilesystemGoal, FilesystemState, FilesystemWishes,
};
pub use mount::{Mount, MountChange, MountGoal, MountOptions, MountPoint, MountState, MountWishes};
pub use swap::{Swap, SwapChange, SwapGoal, SwapState, SwapWishes};
