//! Kinds of a vendor: they depend on `uphold-kit` only, and are as complete as those that ship with Uphold.

mod logrotate;
mod rotation;
mod switch;

pub use logrotate::{Logrotate, LogrotateChange, LogrotateGoal, LogrotateState};
pub use rotation::{Frequency, LogFiles};
pub use switch::{Switch, SwitchChange, SwitchGoal, SwitchState};
