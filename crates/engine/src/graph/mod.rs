//! The dependency graph, with a reason for each edge.

mod adjacency;
mod conflict;
mod edge;
mod groups;
mod loops;
mod passes;
mod removals;
mod shared;
mod verification;

pub use adjacency::Graph;
pub use edge::{Edge, NodeIndex, Reason};
pub(crate) use loops::without_loops;
pub(crate) use passes::{Nodes, build};
