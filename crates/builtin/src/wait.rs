//! Read-only kinds that wait for a condition.

mod file;
mod port;
mod query;

use uphold_resource::Value;

pub use file::{Presence, WaitFile, WaitFileChange, WaitFileGoal, WaitFileState, WaitFileWishes};
pub use port::{PortState, WaitPort, WaitPortChange, WaitPortGoal, WaitPortState, WaitPortWishes};
pub use query::{WaitQuery, WaitQueryChange, WaitQueryGoal, WaitQueryState, WaitQueryWishes};

// Validation of intervals.

/// Whether a duration is longer than zero: checks without a pause would keep the machine busy.
fn takes_time(value: &Value) -> bool {
    matches!(value, Value::Text(span) if **span != *"0s")
}
