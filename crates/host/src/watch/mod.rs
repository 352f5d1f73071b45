//! Watching this machine: one watcher serves a whole process.
//!
//! ```text
//! watcher ── gate ──┬─ paths (inotify): waypoints, settle, follow, wake, unfinished
//!                   ├─ mounts (/proc/self/mountinfo)
//!                   ├─ network links (rtnetlink)
//!                   ├─ lines of commands
//!                   ├─ programs (pidfd and /proc)
//!                   ├─ units (signals of systemd)
//!                   └─ a timer, a bell
//! ```
//!
//! # What goes unseen
//! - A file that gets another hard link after it was armed, and is then changed by that name.
//! - What is written through a mapping, until the file is closed.
//! - What another machine changes on a network file system, and files that the kernel makes up, as below `/proc`.
//! - A process that begins and ends between two looks at the list of processes.
//!
//! That is one of the reasons why whoever watches also looks now and then.

mod armed;
mod follow;
mod gate;
mod ground;
mod kernel;
mod lines;
mod mounts;
mod network;
mod numbers;
mod paths;
mod programs;
mod reports;
mod roster;
mod settle;
mod speaker;
mod state;
mod tidings;
mod unfinished;
mod units;
mod wake;
mod watcher;
mod waypoint;
mod waypoints;

pub(crate) use watcher::LocalWatcher;
