//! Machines in memory, behind the doors of `uphold-resource`.
//!
//! [`MemoryHost`] is a whole machine, for tests and simulations; [`Overlay`] lies over another machine,
//! so that a plan can write without changing it. Both keep their files in one kind of tree.

mod machine;
mod overlay;
mod tree;

pub use machine::{
    Answer, Before, Call, CommandLine, Edit, Furnishing, MemoryHost, MemoryUnit, Reply, Snapshot, Trouble,
    Write,
};
pub use overlay::Overlay;
