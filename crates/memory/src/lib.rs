//! Machines in memory, behind the interfaces of `uphold-resource`.
//!
//! [`MemoryHost`] is a whole machine, for tests and simulations. [`Overlay`] is a layer over another machine, so that a plan
//! can write without changing it. Both store their files in the same kind of tree.

mod machine;
mod overlay;
mod tree;

pub use machine::{
    Answer, Before, Call, CommandLine, Edit, Fixture, MemoryHost, MemoryUnit, Reply, Snapshot, Trouble, Write,
};
pub use overlay::Overlay;
