//! The kind `swap`.

mod active;
mod making;
mod resource;
mod sight;

pub use resource::{Swap, SwapChange, SwapGoal, SwapState};
