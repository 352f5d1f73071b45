//! The kind `filesystem`.

mod maker;
mod resource;

pub use resource::{
    BlockDevice, Filesystem, FilesystemChange, FilesystemGoal, FilesystemState, FilesystemWishes,
};
