//! What is drawn: nodes and edges as plain text, whatever the format.

use uphold::model::{Action, ResourceId};
use uphold::{Program, ResourceSet};
use uphold_wire::{Format, Graph, GraphEdge, GraphNode};

use super::label::{REASON_LENGTH, shorten};

/// The nodes of a program in list order, actions that run only when notified last; its edges sorted: the same program, the same drawing.
#[derive(Debug, Default)]
pub(crate) struct Drawing {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Arrow>,
}

/// One action on one resource.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: String,
    pub(crate) name: String,
    /// As it is written in an expression: `file["/etc/motd"]`.
    pub(crate) id: String,
    /// None for `converge`, which is what everybody expects.
    pub(crate) action: Option<String>,
}

/// `before` is done before `after`. Both are numbers of nodes.
#[derive(Debug)]
pub(crate) struct Arrow {
    pub(crate) before: usize,
    pub(crate) after: usize,
    pub(crate) reason: String,
}

impl From<&Program> for Drawing {
    fn from(program: &Program) -> Self {
        let nodes = program.list().all().iter().map(|entry| node(program.set(), entry)).collect();
        let edges = program.edges().into_iter().map(|edge| Arrow {
            before: edge.before as usize,
            after: edge.after as usize,
            reason: shorten(&edge.reason.to_string(), REASON_LENGTH),
        });
        Self { nodes, edges: edges.collect() }
    }
}

impl Drawing {
    /// For programs.
    pub(crate) fn to_wire(&self) -> Graph {
        let node = |node: &Node| GraphNode {
            action: node.action.clone().unwrap_or_else(|| "converge".to_owned()),
            kind: node.kind.clone(),
            resource: node.id.clone(),
        };
        let edge =
            |edge: &Arrow| GraphEdge { after: edge.after, before: edge.before, reason: edge.reason.clone() };
        Graph {
            edges: self.edges.iter().map(edge).collect(),
            format_version: Graph::VERSION,
            nodes: self.nodes.iter().map(node).collect(),
        }
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

/// Its name, with the module that it lies in and the key of `for_each`.
fn name(id: &ResourceId) -> String {
    let module = id.module().map(|module| format!("{module}: ")).unwrap_or_default();
    let key = id.key().map(|key| format!("[{key:?}]")).unwrap_or_default();
    format!("{module}{}{key}", id.name)
}

#[cfg(test)]
impl Drawing {
    /// For tests: nodes `(kind, name, action)` and edges `(before, after, reason)`.
    pub(super) fn of(nodes: &[(&str, &str, &str)], edges: &[(usize, usize, &str)]) -> Self {
        let node = |&(kind, name, action): &(&str, &str, &str)| Node {
            kind: kind.to_owned(),
            name: name.to_owned(),
            id: ResourceId::new(kind, name).to_string(),
            action: (action != "converge").then(|| action.to_owned()),
        };
        let arrow = |&(before, after, reason): &(usize, usize, &str)| Arrow {
            before,
            after,
            reason: reason.to_owned(),
        };
        Self { nodes: nodes.iter().map(node).collect(), edges: edges.iter().map(arrow).collect() }
    }
}
