//! The watcher of this machine: one serves a whole process.
//!
//! ```text
//! watcher ── epoll ─┬─ paths (inotify): watch_tree, rearm, follow, wake, open_writes
//!                   ├─ mounts (/proc/self/mountinfo)
//!                   ├─ network links (rtnetlink)
//!                   ├─ lines of commands
//!                   ├─ programs (pidfd and /proc)
//!                   ├─ units (signals of systemd)
//!                   └─ a timer and an eventfd for nudges
//! ```
//!
//! # What is not detected
//! - A file that gets another hard link after it was armed, and is then changed by that name.
//! - A write through a mapping, until the file is closed.
//! - Changes by another machine on a network file system, and of files that the kernel generates, such as below `/proc`.
//! - A process that starts and ends between two listings of processes.
//!
//! That is one reason for periodic checks besides the watch.

mod armed_set;
mod change_batch;
mod epoll;
mod follow;
mod kernel;
mod line_command;
mod lines;
mod mounts;
mod network;
mod open_writes;
mod path_probe;
mod paths;
mod programs;
mod rearm;
mod small_set;
mod state;
mod units;
mod wake;
mod watch_node;
mod watch_tree;
mod watcher;

pub(crate) use watcher::LocalWatcher;
