//! Waiting: kinds that change nothing, and end when something outside is as it should be.

mod file;
mod pace;
mod port;
mod query;

pub use file::{Presence, WaitFile, WaitFileChange, WaitFileGoal, WaitFileState};
pub use port::{PortState, WaitPort, WaitPortChange, WaitPortGoal, WaitPortState};
pub use query::{WaitQuery, WaitQueryChange, WaitQueryGoal, WaitQueryState};
