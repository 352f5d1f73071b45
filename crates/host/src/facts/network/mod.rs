//! Interfaces, addresses and routes of the running kernel.

mod change;
mod inventory;
mod message;
mod netlink;
mod primary;

pub(crate) use change::{LINK_GROUPS, link_changes};
pub(super) use inventory::Network;
pub(super) use primary::{default_interface, gateway, interfaces, ipv4, ipv6};
