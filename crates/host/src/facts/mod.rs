//! What this machine is.

mod account;
mod answers;
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

pub(crate) use answers::Answers;
pub(crate) use network::{LINK_GROUPS, link_changes};
