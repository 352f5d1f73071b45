//! The kind `swap`.

mod active;
mod observed;
mod resource;
mod steps;

pub use resource::{Swap, SwapChange, SwapGoal, SwapState, SwapWishes};
