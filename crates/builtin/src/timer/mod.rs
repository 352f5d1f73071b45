//! The kind `timer`.

mod resource;
mod span;

pub use resource::{Timer, TimerChange, TimerGoal, TimerState, TimerWishes};
pub use span::Span;
