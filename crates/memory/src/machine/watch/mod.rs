//! A machine in memory that tells what changes on it.

mod news;
mod post;
mod register;
mod staging;
mod trouble;
mod watcher;

pub use trouble::Trouble;

pub(crate) use post::Post;
pub(crate) use watcher::MemoryWatcher;
