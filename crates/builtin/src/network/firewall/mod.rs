//! The kind `firewall`.

mod listing;
mod resource;
mod ruleset;
mod table;

pub use resource::{Firewall, FirewallChange, FirewallGoal, FirewallState, FirewallWishes};
pub use ruleset::Ruleset;
pub use table::Family;
