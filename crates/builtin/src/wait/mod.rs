//! Read-only kinds that wait for a condition.

mod file;
mod pace;
mod port;
mod query;

pub use file::{Presence, WaitFile, WaitFileChange, WaitFileGoal, WaitFileState, WaitFileWishes};
pub use port::{PortState, WaitPort, WaitPortChange, WaitPortGoal, WaitPortState, WaitPortWishes};
pub use query::{WaitQuery, WaitQueryChange, WaitQueryGoal, WaitQueryState, WaitQueryWishes};
