//! The kind `sysctl`.

mod entries;
mod key;
mod resource;

pub use key::SysctlKey;
pub use resource::{Sysctl, SysctlChange, SysctlGoal, SysctlState, SysctlWishes};
