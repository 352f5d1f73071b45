//! Read-only kinds that wait for a condition.

mod file;
mod pace;
mod port;
mod query;

pub use file::{Presence, WaitFile, WaitFileChange, WaitFileGoal, WaitFileState};
pub use port::{PortState, WaitPort, WaitPortChange, WaitPortGoal, WaitPortState};
pub use query::{WaitQuery, WaitQueryChange, WaitQueryGoal, WaitQueryState};
