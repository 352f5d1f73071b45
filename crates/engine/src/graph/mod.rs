//! The graph: what comes before what, and why.

mod adjacency;
mod conflict;
mod cycle;
mod edge;
mod passes;

pub use adjacency::Graph;
pub use edge::{Edge, NodeIndex, Reason};
pub(crate) use passes::{Nodes, build};
