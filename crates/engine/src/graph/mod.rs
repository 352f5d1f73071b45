//! The graph: what comes before what, and why.

mod adjacency;
mod component;
mod conflict;
mod cycle;
mod draft;
mod edge;
mod edits;
mod group;
mod leads;
mod module;
mod notified;
mod passes;
mod providers;
mod sequence;
mod trees;

pub use adjacency::Graph;
pub use edge::{Edge, NodeIndex, Reason};
pub(crate) use passes::{Nodes, build};
