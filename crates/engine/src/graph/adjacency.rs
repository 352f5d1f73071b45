//! The finished graph: edges sorted by where they start, so that a walk needs no hashing.

use rustc_hash::FxHashMap;

use super::edge::{Edge, NodeIndex};
use crate::program::groups::GroupIndex;

/// A directed graph without loops. Built once, read by every walk.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    edges: Vec<Edge>,
    /// Where the edges of each node start in `edges`; one more at the end.
    starts: Vec<u32>,
    /// How many edges end at each node.
    incoming: Vec<u32>,
    /// How many nodes stand for actions; the others are gates.
    nodes: usize,
    /// The gates at which something is done: the ends of these groups.
    ends: FxHashMap<NodeIndex, GroupIndex>,
    /// The same, from the groups.
    gates: FxHashMap<GroupIndex, NodeIndex>,
}

impl Graph {
    /// Sorts `edges` and drops repeated ones: the first reason stays, of those on which something stands if there
    /// are any. Gates are numbered after the nodes.
    pub(crate) fn new(
        nodes: usize,
        gates: usize,
        mut edges: Vec<Edge>,
        ends: FxHashMap<NodeIndex, GroupIndex>,
    ) -> Self {
        edges.sort_by_key(|edge| (edge.before, edge.after, !edge.reason.stands()));
        edges.dedup_by(|next, kept| {
            let same = (next.before, next.after) == (kept.before, kept.after);
            kept.path |= same && next.path;
            same
        });
        edges.shrink_to_fit();
        let all = nodes + gates;
        let mut starts = vec![0; all + 1];
        let mut incoming = vec![0; all];
        for edge in &edges {
            starts[edge.before as usize + 1] += 1;
            incoming[edge.after as usize] += 1;
        }
        for node in 0..all {
            starts[node + 1] += starts[node];
        }
        let gates = ends.iter().map(|(gate, group)| (*group, *gate)).collect();
        Self { edges, starts, incoming, nodes, ends, gates }
    }

    /// The same graph without some edges.
    pub(crate) fn without(self, gone: impl Fn(&Edge) -> bool) -> Self {
        let (nodes, gates) = (self.nodes, self.incoming.len() - self.nodes);
        Self::new(nodes, gates, self.edges.into_iter().filter(|edge| !gone(edge)).collect(), self.ends)
    }

    /// The same graph with more edges.
    pub(crate) fn with(self, more: Vec<Edge>) -> Self {
        let (nodes, gates) = (self.nodes, self.incoming.len() - self.nodes);
        Self::new(nodes, gates, self.edges.into_iter().chain(more).collect(), self.ends)
    }

    /// The edges that start at `node`, which may be a gate, or that lead to one; sorted by where they end.
    pub(crate) fn after(&self, node: NodeIndex) -> &[Edge] {
        let node = node as usize;
        // A node that was added while the program runs has none.
        let Some(end) = self.starts.get(node + 1) else { return &[] };
        &self.edges[self.starts[node] as usize..*end as usize]
    }

    /// How many edges end at each node and gate.
    pub(crate) fn incoming(&self) -> &[u32] {
        &self.incoming
    }

    /// All edges, sorted, gates among their ends.
    pub(crate) fn raw_edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Whether this is no action, but stands between many of them.
    pub(crate) fn is_gate(&self, node: NodeIndex) -> bool {
        node as usize >= self.nodes
    }

    /// The gate at which a group ends.
    pub(crate) fn end_of(&self, group: GroupIndex) -> Option<NodeIndex> {
        self.gates.get(&group).copied()
    }

    /// The group that ends at this gate.
    pub(crate) fn group_ending_at(&self, gate: NodeIndex) -> Option<GroupIndex> {
        self.ends.get(&gate).copied()
    }

    /// All edges between actions, sorted. Where a group or a module comes before many others, each
    /// pair has its edge here, so that there may be many: for drawing, not for walking.
    pub fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::with_capacity(self.edges.len());
        for edge in self.edges.iter().filter(|edge| !self.is_gate(edge.before)) {
            let mut open = vec![edge.clone()];
            while let Some(edge) = open.pop() {
                if self.is_gate(edge.after) {
                    let through = self.after(edge.after).iter();
                    open.extend(through.map(|next| Edge { before: edge.before, ..next.clone() }));
                } else {
                    edges.push(edge);
                }
            }
        }
        edges.sort_by_key(|edge| (edge.before, edge.after, !edge.reason.stands()));
        edges.dedup_by_key(|edge| (edge.before, edge.after));
        edges
    }

    /// How many nodes there are: one for each action.
    pub fn len(&self) -> usize {
        self.nodes
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes == 0
    }
}
