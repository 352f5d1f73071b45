//! The watcher of a machine in memory.

mod controls;
mod faults;
mod mailbox;
mod pending;
mod register;
mod watcher;

pub use faults::Trouble;

pub(crate) use mailbox::WatchMailbox;
pub(crate) use watcher::MemoryWatcher;
