//! The nodes and edges of a program, for all formats.

use std::collections::HashMap;

use uphold::Program;
use uphold::model::ResourceId;
use uphold_wire::{self as wire, Format, GraphEdge, GraphNode};

use super::label::{REASON_LENGTH, shorten};

/// The actions of a program in list order, actions that run only when notified last, and the sorted edges: the same
/// program always gives the same graph.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    /// An edge leads to a node that depends on the other one, or is notified by it.
    pub(crate) edges: Vec<GraphEdge>,
}

/// One action on one resource.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) wire: GraphNode,
    pub(crate) name: String,
    /// The number of its kind, in the order in which kinds appear.
    pub(crate) kind_number: usize,
}

impl Node {
    /// The action, unless it is the default.
    pub(super) fn special_action(&self) -> Option<&str> {
        Some(&*self.wire.action).filter(|action| *action != "converge")
    }
}

impl From<&Program> for Graph {
    fn from(program: &Program) -> Self {
        let node =
            |entry: &uphold::ActionEntry| (program.set().id(entry.resource), entry.action().to_string());
        let edges = program.edges().into_iter().map(|edge| GraphEdge {
            before: edge.before as usize,
            after: edge.after as usize,
            reason: shorten(&edge.reason.to_string(), REASON_LENGTH),
        });
        Self::new(program.list().all().iter().map(node), edges.collect())
    }
}

impl Graph {
    fn new<'a>(actions: impl Iterator<Item = (&'a ResourceId, String)>, edges: Vec<GraphEdge>) -> Self {
        let mut kinds = HashMap::new();
        let node = |(id, action): (&'a ResourceId, String)| {
            let next = kinds.len();
            let wire = GraphNode { action, kind: id.kind.to_string(), resource: id.to_string() };
            Node { wire, name: name(id), kind_number: *kinds.entry(&id.kind).or_insert(next) }
        };
        Self { nodes: actions.map(node).collect(), edges }
    }

    /// The number of kinds.
    pub(super) fn kinds(&self) -> usize {
        self.nodes.iter().map(|node| node.kind_number + 1).max().unwrap_or(0)
    }

    /// The graph for `--json`.
    pub(crate) fn to_wire(&self) -> wire::Graph {
        let nodes = self.nodes.iter().map(|node| node.wire.clone()).collect();
        wire::Graph { edges: self.edges.clone(), format_version: wire::Graph::VERSION, nodes }
    }
}

/// The name with the module and the key of `for_each`.
fn name(id: &ResourceId) -> String {
    let module = id.module().map(|module| format!("{module}: ")).unwrap_or_default();
    let key = id.key().map(|key| format!("[{key:?}]")).unwrap_or_default();
    format!("{module}{}{key}", id.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Graph {
        /// A graph for tests from nodes `(kind, name, action)` and edges `(before, after, reason)`.
        pub(in crate::drawing) fn of(nodes: &[(&str, &str, &str)], edges: &[(usize, usize, &str)]) -> Self {
            let ids: Vec<ResourceId> =
                nodes.iter().map(|(kind, name, _)| ResourceId::new(*kind, *name)).collect();
            let actions = nodes.iter().map(|(_, _, action)| (*action).to_owned());
            let edge = |&(before, after, reason): &(usize, usize, &str)| GraphEdge {
                before,
                after,
                reason: reason.to_owned(),
            };
            Self::new(ids.iter().zip(actions), edges.iter().map(edge).collect())
        }
    }
}
