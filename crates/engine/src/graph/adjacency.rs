//! The graph, while it is built and when it is finished: then edges are sorted by their start, so that a walk needs no
//! hashing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use uphold_model::Place;

use super::edge::{Edge, NodeIndex, Reason};
use crate::program::list::GroupIndex;

/// A directed graph without loops. Built once, read by every walk.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Sorted; their ends may be gates.
    pub(crate) edges: Vec<Edge>,
    /// The index in `edges` of the first edge of each node; one more at the end.
    starts: Vec<u32>,
    /// The number of edges that end at each node and gate.
    pub(crate) incoming: Vec<u32>,
    /// The number of nodes that are actions; the others are gates.
    nodes: usize,
    /// The gates at which groups end that deliver notifications there.
    ends: FxHashMap<NodeIndex, GroupIndex>,
    /// The same, from the groups.
    gates: FxHashMap<GroupIndex, NodeIndex>,
}

impl Graph {
    /// Sorts `edges` and drops repeated ones: the first reason stays, a dependency before others. Gates are numbered after
    /// the nodes.
    pub(crate) fn new(
        nodes: usize,
        gates: usize,
        mut edges: Vec<Edge>,
        ends: FxHashMap<NodeIndex, GroupIndex>,
    ) -> Self {
        // Keys of one word are compared much faster than edges.
        edges.sort_by_cached_key(|edge| {
            let ends = u64::from(edge.before) << u32::BITS | u64::from(edge.after);
            (ends, !edge.reason.is_dependency())
        });
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
    pub(crate) fn without(self, is_dropped: impl Fn(&Edge) -> bool) -> Self {
        let (nodes, gates) = (self.nodes, self.incoming.len() - self.nodes);
        Self::new(nodes, gates, self.edges.into_iter().filter(|edge| !is_dropped(edge)).collect(), self.ends)
    }

    /// The same graph with more edges.
    pub(crate) fn with(self, more: Vec<Edge>) -> Self {
        let (nodes, gates) = (self.nodes, self.incoming.len() - self.nodes);
        Self::new(nodes, gates, self.edges.into_iter().chain(more).collect(), self.ends)
    }

    /// The edges that start at `node`, sorted by their end. Either may be a gate.
    pub(crate) fn after(&self, node: NodeIndex) -> &[Edge] {
        let node = node as usize;
        // A node that was added while the program runs has none.
        let Some(end) = self.starts.get(node + 1) else { return &[] };
        &self.edges[self.starts[node] as usize..*end as usize]
    }

    /// Whether this is no action, but a gate between many of them.
    pub(crate) fn is_gate(&self, node: NodeIndex) -> bool {
        node as usize >= self.nodes
    }

    pub(crate) fn end_of(&self, group: GroupIndex) -> Option<NodeIndex> {
        self.gates.get(&group).copied()
    }

    pub(crate) fn group_ending_at(&self, gate: NodeIndex) -> Option<GroupIndex> {
        self.ends.get(&gate).copied()
    }

    /// All edges between actions, sorted. Where all of a group or a module comes before many others, each pair has its edge
    /// here, so that there may be many: for drawing, not for walking.
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
        edges.sort_by_key(|edge| (edge.before, edge.after, !edge.reason.is_dependency()));
        edges.dedup_by_key(|edge| (edge.before, edge.after));
        edges
    }

    /// All nodes and gates, each after its prerequisites; without those on loops, and those behind them.
    pub(crate) fn topological(&self) -> Vec<NodeIndex> {
        let mut waiting = self.incoming.clone();
        let free = (0..).zip(&waiting).filter(|(_, count)| **count == 0);
        let mut order: Vec<NodeIndex> = free.map(|(node, _)| node).collect();
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            for edge in self.after(node) {
                waiting[edge.after as usize] -= 1;
                if waiting[edge.after as usize] == 0 {
                    order.push(edge.after);
                }
            }
        }
        order
    }

    /// All nodes, each after its prerequisites; of those whose prerequisites are done, the first written one comes first.
    pub(crate) fn in_written_order(&self) -> Vec<NodeIndex> {
        let mut waiting = self.incoming.clone();
        let mut order = Vec::with_capacity(self.nodes);
        let mut free: BinaryHeap<Reverse<NodeIndex>> = BinaryHeap::new();
        // A gate is done as soon as it is free.
        let mut done: Vec<NodeIndex> = Vec::new();
        let is_free = (0..).zip(&waiting).filter(|(_, count)| **count == 0).map(|(node, _)| node);
        for node in is_free {
            if self.is_gate(node) { done.push(node) } else { free.push(Reverse(node)) }
        }
        loop {
            while let Some(node) = done.pop() {
                for edge in self.after(node) {
                    waiting[edge.after as usize] -= 1;
                    match waiting[edge.after as usize] {
                        0 if self.is_gate(edge.after) => done.push(edge.after),
                        // A group is verified at once.
                        0 if edge.reason == Reason::Verifies => {
                            order.push(edge.after);
                            done.push(edge.after);
                        }
                        0 => free.push(Reverse(edge.after)),
                        _ => {}
                    }
                }
            }
            let Some(Reverse(node)) = free.pop() else { return order };
            order.push(node);
            done.push(node);
        }
    }

    /// The number of nodes: one for each action.
    pub fn len(&self) -> usize {
        self.nodes
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes == 0
    }
}

/// Edges so far. Nodes of the list come first, gates after them.
///
/// A gate is done as soon as all its prerequisites are. It lies between many nodes and many others, so that `n` and `m` of
/// them make `n + m` edges instead of `n * m`. The end of a group is a gate, too, if notifications are delivered there.
pub(crate) struct Draft {
    edges: Vec<Edge>,
    nodes: usize,
    gates: usize,
    ends: FxHashMap<GroupIndex, NodeIndex>,
}

impl Draft {
    /// This many nodes, without edges.
    pub(crate) fn new(nodes: usize) -> Self {
        Self { edges: Vec::new(), nodes, gates: 0, ends: FxHashMap::default() }
    }

    /// Makes a gate for the end of a group.
    pub(crate) fn add_end(&mut self, group: GroupIndex) {
        let gate = self.gate();
        self.ends.insert(group, gate);
    }

    pub(crate) fn end_of(&self, group: GroupIndex) -> Option<NodeIndex> {
        self.ends.get(&group).copied()
    }

    /// The edges so far.
    pub(crate) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    pub(crate) fn push(&mut self, edge: Edge) {
        self.edges.push(edge);
    }

    /// Puts every node of `before` before every node of `after`; each of these has a place of its own.
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
