//! The kind `hosts_entry`.

mod address;
mod aliases;
mod resource;
mod table;

pub use address::IpAddress;
pub use aliases::Aliases;
pub(crate) use aliases::are_names;
pub use resource::{HostsEntry, HostsEntryChange, HostsEntryGoal, HostsEntryState, HostsEntryWishes};
