//! The graph while it is made: edges, and gates that stand for many edges.

use rustc_hash::FxHashMap;
use uphold_model::Place;

use super::adjacency::Graph;
use super::edge::{Edge, NodeIndex, Reason};
use crate::program::groups::GroupIndex;

/// Edges so far. Nodes of the list come first, gates after them.
///
/// A gate is done as soon as everything before it is. It stands between many nodes and many
/// others, so that `n` and `m` of them make `n + m` edges instead of `n * m`. The end of a group is a
/// gate, too, if something is done there.
pub(crate) struct Draft {
    edges: Vec<Edge>,
    nodes: usize,
    gates: usize,
    ends: FxHashMap<GroupIndex, NodeIndex>,
}

impl Draft {
    /// Nothing but this many nodes.
    pub(crate) fn new(nodes: usize) -> Self {
        Self { edges: Vec::new(), nodes, gates: 0, ends: FxHashMap::default() }
    }

    /// Makes a gate for the end of a group.
    pub(crate) fn add_end(&mut self, group: GroupIndex) {
        let gate = self.gate();
        self.ends.insert(group, gate);
    }

    /// The end of a group, if something is done there.
    pub(crate) fn end_of(&self, group: GroupIndex) -> Option<NodeIndex> {
        self.ends.get(&group).copied()
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
        let ends = self.ends.into_iter().map(|(group, gate)| (gate, group)).collect();
        Graph::new(self.nodes, self.gates, self.edges, ends)
    }
}

impl Extend<Edge> for Draft {
    fn extend<I: IntoIterator<Item = Edge>>(&mut self, edges: I) {
        self.edges.extend(edges);
    }
}
