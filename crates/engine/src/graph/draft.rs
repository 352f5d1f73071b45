//! The graph while it is made: edges, and gates that stand for many edges.

use uphold_model::Place;

use super::adjacency::Graph;
use super::edge::{Edge, NodeIndex, Reason};

/// Edges so far. Nodes of the list come first, gates after them.
///
/// A gate is done as soon as everything before it is. It stands between many nodes and many
/// others, so that `n` and `m` of them make `n + m` edges instead of `n * m`. No two gates are
/// neighbours.
pub(crate) struct Draft {
    edges: Vec<Edge>,
    nodes: usize,
    gates: usize,
}

impl Draft {
    /// Nothing but this many nodes.
    pub(crate) fn new(nodes: usize) -> Self {
        Self { edges: Vec::new(), nodes, gates: 0 }
    }

    pub(crate) fn push(&mut self, edge: Edge) {
        self.edges.push(edge);
    }

    /// Puts every node of `before` before every node of `after`; each of these has a place of its
    /// own where that was written.
    pub(crate) fn join(
        &mut self,
        before: &[NodeIndex],
        after: &[(NodeIndex, Option<Place>)],
        reason: &Reason,
    ) {
        if before.len() > 1 && after.len() > 1 {
            let gate = self.gate();
            let to_gate = before.iter().map(|&node| Edge::new(node, gate, reason.clone(), None));
            self.edges.extend(to_gate);
            self.edges.extend(after.iter().map(|&(node, at)| Edge::new(gate, node, reason.clone(), at)));
            return;
        }
        for &first in before {
            self.edges.extend(after.iter().map(|&(node, at)| Edge::new(first, node, reason.clone(), at)));
        }
    }

    fn gate(&mut self) -> NodeIndex {
        self.gates += 1;
        NodeIndex::try_from(self.nodes + self.gates - 1).expect("fewer than 2^32 nodes")
    }

    pub(crate) fn finish(self) -> Graph {
        Graph::new(self.nodes, self.gates, self.edges)
    }
}

impl Extend<Edge> for Draft {
    fn extend<I: IntoIterator<Item = Edge>>(&mut self, edges: I) {
        self.edges.extend(edges);
    }
}
