//! The facts of this machine.

mod account;
mod cache;
mod clock;
mod disks;
mod hardware;
mod init;
mod kernel;
mod load;
mod machine;
mod mounts;
mod names;
mod network;
mod packages;
mod release;
mod table;
mod time;
mod virtualization;

pub(crate) use cache::FactCache;
pub(crate) use network::{LINK_GROUPS, link_changes};
