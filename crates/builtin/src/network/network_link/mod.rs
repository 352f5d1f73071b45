//! The kind `network_link`.

mod creation;
mod hardware_address;
mod query;
mod resource;

pub use hardware_address::HardwareAddress;
pub use resource::{NetworkLink, NetworkLinkChange, NetworkLinkGoal, NetworkLinkState, NetworkLinkWishes};
