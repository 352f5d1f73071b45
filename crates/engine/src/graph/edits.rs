//! Parts of one thing are changed one after the other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use uphold_model::Claim;

use super::adjacency::Graph;
use super::edge::{Edge, NodeIndex, Reason};
use super::passes::Nodes;

/// The edges between those that change parts of one thing, in this order of all nodes.
pub(super) fn chain(nodes: &Nodes<'_>, order: impl Iterator<Item = usize>) -> Vec<Edge> {
    let mut last: FxHashMap<&Claim, NodeIndex> = FxHashMap::default();
    let mut edges = Vec::new();
    for node in order {
        let number = NodeIndex::try_from(node).expect("fewer than 2^32 nodes");
        for claim in &nodes.claims[node].edits {
            if let Some(before) = last.insert(claim, number) {
                edges.push(Edge::new(before, number, Reason::Edits(Arc::new(claim.clone())), None));
            }
        }
    }
    edges
}

/// The graph with the edits in an order that the other edges allow; written order decides where
/// they leave it open. What lies on a loop of the others has no edits.
pub(super) fn rearrange(nodes: &Nodes<'_>, graph: Graph) -> Graph {
    let others = graph.without(Edge::is_edit);
    let order = order(&others).into_iter().filter(|node| *node < nodes.list.len());
    let edges = chain(nodes, order);
    others.with(edges)
}

/// All nodes and gates in an order that keeps every edge, the first written first.
fn order(graph: &Graph) -> Vec<usize> {
    let mut waiting = graph.incoming().to_vec();
    let first = (0..).zip(&waiting).filter(|(_, count)| **count == 0).map(|(node, _)| Reverse(node));
    let mut ready: BinaryHeap<Reverse<NodeIndex>> = first.collect();
    let mut order = Vec::with_capacity(waiting.len());
    while let Some(Reverse(node)) = ready.pop() {
        order.push(node as usize);
        for edge in graph.after(node) {
            let count = &mut waiting[edge.after as usize];
            *count -= 1;
            if *count == 0 {
                ready.push(Reverse(edge.after));
            }
        }
    }
    order
}
