//! The finished graph: edges sorted by where they start, so that a walk needs no hashing.

use super::edge::{Edge, NodeIndex};

/// A directed graph without loops. Built once, read by every walk.
#[derive(Debug, Default)]
pub struct Graph {
    edges: Vec<Edge>,
    /// Where the edges of each node start in `edges`; one more at the end.
    starts: Vec<u32>,
    /// How many edges end at each node.
    incoming: Vec<u32>,
}

impl Graph {
    /// Sorts `edges` and drops repeated ones: the first reason stays.
    pub(crate) fn new(nodes: usize, mut edges: Vec<Edge>) -> Self {
        edges.sort_by_key(|edge| (edge.before, edge.after));
        edges.dedup_by(|next, kept| {
            let same = (next.before, next.after) == (kept.before, kept.after);
            kept.path |= same && next.path;
            same
        });
        let mut starts = vec![0; nodes + 1];
        let mut incoming = vec![0; nodes];
        for edge in &edges {
            starts[edge.before as usize + 1] += 1;
            incoming[edge.after as usize] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        Self { edges, starts, incoming }
    }

    /// The edges that start at `node`.
    pub fn after(&self, node: NodeIndex) -> &[Edge] {
        let node = node as usize;
        &self.edges[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// How many edges end at each node.
    pub fn incoming(&self) -> &[u32] {
        &self.incoming
    }

    /// All edges, sorted.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.incoming.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.incoming.is_empty()
    }
}
