//! The output of `uphold graph --json`.

use serde::{Deserialize, Serialize};

use super::version::Format;
use crate::version::Version;

/// Nodes, and edges between their positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Graph {
    /// Sorted.
    pub edges: Vec<GraphEdge>,
    /// The version of the document.
    pub format_version: Version,
    /// In the order of the configuration; actions that run only when notified are last.
    pub nodes: Vec<GraphNode>,
}

impl Format for Graph {
    const NAME: &'static str = "graph";
    const VERSION: Version = Version::new(1, 0);
}

/// An ordering between two nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphEdge {
    /// The position of the later node.
    pub after: usize,
    /// The position of the earlier node.
    pub before: usize,
    /// The reason.
    pub reason: String,
}

/// One action on one resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphNode {
    /// The action.
    pub action: String,
    /// The kind of the resource.
    pub kind: String,
    /// The resource as it is written in an expression.
    pub resource: String,
}
