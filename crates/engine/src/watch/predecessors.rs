//! The predecessors of a node: the graph backwards.

use rustc_hash::FxHashSet;

use crate::graph::{Graph, NodeIndex};

/// The edges of a graph, sorted by where they end.
pub(crate) struct Predecessors {
    /// Where an edge starts, and whether its end depends on that.
    edges: Vec<(NodeIndex, bool)>,
    starts: Vec<u32>,
    /// How many nodes are no gates.
    nodes: usize,
}

impl Predecessors {
    pub(crate) fn of(graph: &Graph) -> Self {
        let mut starts = vec![0; graph.incoming().len() + 1];
        for (node, count) in graph.incoming().iter().enumerate() {
            starts[node + 1] = starts[node] + count;
        }
        let mut free = starts.clone();
        let mut edges = vec![(0, false); graph.raw_edges().len()];
        for edge in graph.raw_edges() {
            let slot = &mut free[edge.after as usize];
            edges[*slot as usize] = (edge.before, edge.reason.stands());
            *slot += 1;
        }
        Self { edges, starts, nodes: graph.len() }
    }

    fn before(&self, node: NodeIndex) -> &[(NodeIndex, bool)] {
        let node = node as usize;
        // A node that was added while the program runs has none.
        let Some(end) = self.starts.get(node + 1) else { return &[] };
        &self.edges[self.starts[node] as usize..*end as usize]
    }

    fn is_gate(&self, node: NodeIndex) -> bool {
        node as usize >= self.nodes
    }

    /// The nearest predecessor with a property, however far away.
    pub(crate) fn nearest(&self, node: NodeIndex, is_so: impl Fn(NodeIndex) -> bool) -> Option<NodeIndex> {
        self.search(node, is_so, |_, _| true)
    }

    /// A direct dependency with a property.
    pub(crate) fn direct(&self, node: NodeIndex, is_so: impl Fn(NodeIndex) -> bool) -> Option<NodeIndex> {
        self.search(node, is_so, |before, stands| stands && self.is_gate(before))
    }

    /// Searches backwards, beyond a predecessor where `goes_on` says so: given that predecessor, and whether the edge is a
    /// dependency.
    fn search(
        &self,
        node: NodeIndex,
        is_so: impl Fn(NodeIndex) -> bool,
        goes_on: impl Fn(NodeIndex, bool) -> bool,
    ) -> Option<NodeIndex> {
        let mut met = FxHashSet::default();
        let mut open = vec![node];
        let mut next = 0;
        while let Some(&node) = open.get(next) {
            next += 1;
            for &(before, stands) in self.before(node) {
                let goes_on = goes_on(before, stands);
                let counts = !self.is_gate(before) && (stands || goes_on);
                if counts && is_so(before) {
                    return Some(before);
                }
                if goes_on && met.insert(before) {
                    open.push(before);
                }
            }
        }
        None
    }
}
