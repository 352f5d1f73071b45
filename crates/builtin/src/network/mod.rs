//! The kinds `firewall`, `network_link` and `route`.

mod address;
mod firewall;
mod kernel;
mod link_name;
mod network_link;
mod route;

pub use address::{Address, Addresses, Prefixed};
pub use firewall::{Family, Firewall, FirewallChange, FirewallGoal, FirewallState, FirewallWishes, Ruleset};
pub use link_name::LinkName;
pub use network_link::{
    HardwareAddress, NetworkLink, NetworkLinkChange, NetworkLinkGoal, NetworkLinkState, NetworkLinkWishes,
};
pub use route::{Destination, Route, RouteChange, RouteGoal, RouteState, RouteType, RouteWishes};
