//! The facts of this machine.

mod account;
mod clock;
mod disks;
mod hardware;
mod init;
mod kernel;
mod load;
mod machine;
mod names;
mod network;
mod release;
mod table;
mod time;
mod virtualization;

pub(crate) use network::{LINK_GROUPS, link_changes};
pub(crate) use table::FactCache;
