//! The watcher of a machine in memory.

mod controls;
mod mailbox;
mod register;
mod watcher;

pub use controls::Trouble;

pub(crate) use mailbox::WatchMailbox;
pub(crate) use watcher::MemoryWatcher;
