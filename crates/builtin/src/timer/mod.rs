//! The kind `timer`.

mod resource;
mod span;

pub use resource::{Timer, TimerChange, TimerGoal, TimerState};
pub use span::Span;
