//! The nodes and edges of a program, for all formats.

use uphold::model::{Action, ResourceId};
use uphold::{Program, ResourceSet};
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
    pub(crate) kind: String,
    pub(crate) name: String,
    /// The id as in an expression: `file["/etc/motd"]`.
    pub(crate) id: String,
    /// None for `converge`, the default.
    pub(crate) action: Option<String>,
}

impl From<&Program> for Graph {
    fn from(program: &Program) -> Self {
        let nodes = program.list().all().iter().map(|entry| node(program.set(), entry)).collect();
        let edges = program.edges().into_iter().map(|edge| GraphEdge {
            before: edge.before as usize,
            after: edge.after as usize,
            reason: shorten(&edge.reason.to_string(), REASON_LENGTH),
        });
        Self { nodes, edges: edges.collect() }
    }
}

impl Graph {
    /// The graph for `--json`.
    pub(crate) fn to_wire(&self) -> wire::Graph {
        let node = |node: &Node| {
            let action = node.action.clone().unwrap_or_else(|| "converge".to_owned());
            GraphNode { action, kind: node.kind.clone(), resource: node.id.clone() }
        };
        let (edges, nodes) = (self.edges.clone(), self.nodes.iter().map(node).collect());
        wire::Graph { edges, format_version: wire::Graph::VERSION, nodes }
    }
}

fn node(set: &ResourceSet, entry: &uphold::ActionEntry) -> Node {
    let id = set.id(entry.resource);
    Node {
        kind: id.kind.to_string(),
        name: name(id),
        id: id.to_string(),
        action: (*entry.action() != Action::Converge).then(|| entry.action().to_string()),
    }
}

/// The name with the module and the key of `for_each`.
fn name(id: &ResourceId) -> String {
    let module = id.module().map(|module| format!("{module}: ")).unwrap_or_default();
    let key = id.key().map(|key| format!("[{key:?}]")).unwrap_or_default();
    format!("{module}{}{key}", id.name)
}

#[cfg(test)]
impl Graph {
    /// A graph for tests from nodes `(kind, name, action)` and edges `(before, after, reason)`.
    pub(super) fn of(nodes: &[(&str, &str, &str)], edges: &[(usize, usize, &str)]) -> Self {
        let node = |&(kind, name, action): &(&str, &str, &str)| Node {
            kind: kind.to_owned(),
            name: name.to_owned(),
            id: ResourceId::new(kind, name).to_string(),
            action: (action != "converge").then(|| action.to_owned()),
        };
        let edge = |&(before, after, reason): &(usize, usize, &str)| GraphEdge {
            before,
            after,
            reason: reason.to_owned(),
        };
        Self { nodes: nodes.iter().map(node).collect(), edges: edges.iter().map(edge).collect() }
    }
}
