//! `network_link`: one link, with its addresses.

mod hardware_address;
mod making;
mod reading;
mod resource;

pub use hardware_address::HardwareAddress;
pub use resource::{NetworkLink, NetworkLinkChange, NetworkLinkGoal, NetworkLinkState};
