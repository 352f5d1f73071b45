//! A kind whose resources are looked at and changed by somebody else's program.

mod changing;
mod definition;
mod looking;
mod making;
mod shelf;

pub use making::{Made, define};
