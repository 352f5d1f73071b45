//! For tests: the laws that every kind of resource must keep, and the machine in memory that they run on.
//!
//! [`MemoryHost`] implements a whole machine behind the traits of `uphold-resource`; [`laws!`] gives a kind its
//! contract tests on it.

pub mod laws;

pub use laws::{Broken, Subject, Wish};
pub use uphold_memory::{
    Before, Call, Edit, MemoryHost, MemoryUnit, Overlay, Reply, Snapshot, Trouble, Write,
};
