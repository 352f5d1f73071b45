//! The kind `hostname`.

mod hosts;
mod name;
mod resource;

pub use name::MachineName;
pub use resource::{Hostname, HostnameChange, HostnameGoal, HostnameState, HostnameWishes};
