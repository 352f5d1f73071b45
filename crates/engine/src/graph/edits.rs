//! Parts of one thing are changed one after the other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use uphold_model::{Action, Claim, Claims, Place};

use super::adjacency::Graph;
use super::draft::Draft;
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
                edges.push(Edge::new(before, number, Reason::Edits(nodes.shown(claim)), None));
            }
        }
    }
    edges
}

/// A path of which parts are changed.
pub(super) struct EditedPath<'a> {
    pub(super) claim: &'a Claim,
    /// In written order.
    pub(super) editors: Vec<NodeIndex>,
}

/// The paths that are edited, by the first node that edits them.
#[derive(Default)]
pub(super) struct EditedPaths<'a> {
    list: Vec<EditedPath<'a>>,
    places: FxHashMap<&'a Claim, usize>,
}

impl<'a> EditedPaths<'a> {
    pub(super) fn index(all: &'a [Claims]) -> Self {
        let mut paths = Self::default();
        for (node, claims) in (0..).zip(all) {
            for claim in claims.edits.iter().filter(|claim| matches!(claim, Claim::Path(_))) {
                let place = *paths.places.entry(claim).or_insert(paths.list.len());
                if place == paths.list.len() {
                    paths.list.push(EditedPath { claim, editors: Vec::new() });
                }
                paths.list[place].editors.push(node);
            }
        }
        paths
    }

    /// Who edits this path.
    pub(super) fn get(&self, claim: &Claim) -> Option<&EditedPath<'a>> {
        self.places.get(claim).map(|place| &self.list[*place])
    }
}

/// Adds the edges from all that edit a path to all that read it. They meet at a gate: so there are few edges, whatever
/// the order of the edits becomes, and a failure of any of the edits counts.
pub(super) fn before_readers(nodes: &Nodes<'_>, edited: &EditedPaths<'_>, draft: &mut Draft) {
    if edited.list.is_empty() {
        return;
    }
    let mut readers: Vec<Vec<(NodeIndex, Option<Place>)>> = vec![Vec::new(); edited.list.len()];
    for (node, need) in nodes.needs.iter() {
        if let Some(place) = edited.places.get(need)
            && reads(nodes, node, need)
        {
            readers[*place].push((node, None));
        }
    }
    for (path, readers) in edited.list.iter().zip(readers).filter(|(_, readers)| !readers.is_empty()) {
        draft.join(&path.editors, &readers, &Reason::Edited(nodes.shown(path.claim)));
    }
}

/// Whether a node that needs a path reads what others write there. Another edit has its place among the edits, a
/// removal reads nothing, and a handler that runs at once cannot wait.
fn reads(nodes: &Nodes<'_>, node: NodeIndex, path: &Claim) -> bool {
    *nodes.list.get(node as usize).action() != Action::Remove
        && !nodes.list.is_on_request(node)
        && !nodes.claims[node as usize].edits.contains(path)
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
