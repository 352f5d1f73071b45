//! For tests: a machine in memory, and the laws that every kind of resource must keep.
//!
//! [`MemoryHost`] is a whole machine behind the doors of `uphold-resource`; [`laws!`] gives a kind
//! its contract tests on it.

pub mod laws;
mod memory;

pub use laws::{Broken, Subject, Wish};
pub use memory::{Before, Call, Edit, MemoryHost, Snapshot, Write};
