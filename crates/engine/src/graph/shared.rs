//! Passes for things that several nodes share: those that prepare them, edit them, or write inside a tree, come before those
//! that use or read them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use uphold_model::{Action, Claim, Claims, Diagnostics, Place};

use super::Nodes;
use super::adjacency::{Draft, Graph};
use super::edge::{Edge, NodeIndex, Reason};
use super::loops;
use crate::program::managed::path_of;

/// Values by key, in the order in which the keys were first used.
type InOrder<K, V> = IndexMap<K, V, FxBuildHasher>;

/// The nodes that prepare one thing or write inside it, and those that use or read it.
#[derive(Default)]
struct Meeting {
    first: Vec<NodeIndex>,
    then: Vec<(NodeIndex, Option<Place>)>,
}

/// Adds the edges; many and many meet at a gate.
pub(super) fn leads(nodes: &Nodes<'_>, draft: &mut Draft, _: &mut Diagnostics) {
    let mut meetings: InOrder<&Claim, Meeting> = InOrder::default();
    for (node, claims) in (0..).zip(nodes.claims) {
        claims.leads.iter().for_each(|claim| meetings.entry(claim).or_default().first.push(node));
        claims.follows.iter().for_each(|claim| meetings.entry(claim).or_default().then.push((node, None)));
    }
    for (claim, Meeting { first, then }) in meetings {
        draft.join(&first, &then, &Reason::Follows(nodes.shown(claim)));
    }
}

/// The graph without edges to users that have to come earlier for another reason. Other users still wait.
pub(super) fn give_way(nodes: &Nodes<'_>, graph: Graph) -> Graph {
    let is_node = |node: NodeIndex| (node as usize) < nodes.list.all().len();
    loops::without_loops(graph, |edge: &Edge| edge.is_follow() && is_node(edge.after))
}

/// The edges between the nodes that change parts of one thing, in this order of all nodes.
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

/// The paths of which parts are changed, each with the nodes that do so, in written order.
pub(super) type EditedPaths<'a> = InOrder<&'a Claim, Vec<NodeIndex>>;

pub(super) fn edited_paths(all: &[Claims]) -> EditedPaths<'_> {
    let mut paths = EditedPaths::default();
    for (node, claims) in (0..).zip(all) {
        for claim in claims.edits.iter().filter(|claim| matches!(claim, Claim::Path(_))) {
            paths.entry(claim).or_default().push(node);
        }
    }
    paths
}

/// Adds the edges from all nodes that edit a path to all that read it. They meet at a gate: so there are few edges, the order
/// of the edits stays open, and a failure of any of the edits counts.
pub(super) fn before_readers(nodes: &Nodes<'_>, edited: &EditedPaths<'_>, draft: &mut Draft) {
    if edited.is_empty() {
        return;
    }
    let mut readers: FxHashMap<&Claim, Vec<(NodeIndex, Option<Place>)>> = FxHashMap::default();
    for (node, need) in nodes.needs.iter() {
        if edited.contains_key(need) && reads(nodes, node, need) {
            readers.entry(need).or_default().push((node, None));
        }
    }
    for (claim, editors) in edited {
        if let Some(readers) = readers.get(claim) {
            draft.join(editors, readers, &Reason::Edited(nodes.shown(claim)));
        }
    }
}

/// Whether a node that needs a path reads it. Another edit is ordered among the edits, a removal reads nothing, and a handler
/// that runs at once cannot wait.
fn reads(nodes: &Nodes<'_>, node: NodeIndex, path: &Claim) -> bool {
    reads_trees(nodes, node) && !nodes.claims[node as usize].edits.contains(path)
}

/// The graph with the edits in an order that the other edges allow; where they leave it open, in written order. Nodes on a
/// loop of the others have no edits.
pub(super) fn rearrange(nodes: &Nodes<'_>, graph: Graph) -> Graph {
    let others = graph.without(Edge::is_edit);
    let order = order(&others).into_iter().filter(|node| *node < nodes.list.len());
    let edges = chain(nodes, order);
    others.with(edges)
}

/// All nodes and gates in an order that keeps every edge, the first written first.
fn order(graph: &Graph) -> Vec<usize> {
    let mut waiting = graph.incoming.to_vec();
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

/// Adds the edges; many and many meet at a gate. A reader of a tree, such as an archive inside the directory that it is made
/// of, is not among its writers.
pub(super) fn trees(nodes: &Nodes<'_>, draft: &mut Draft, _: &mut Diagnostics) {
    let mut trees: InOrder<&Path, Meeting> = InOrder::default();
    for (node, claims) in (0..).zip(nodes.claims).filter(|(node, _)| reads_trees(nodes, *node)) {
        claims.reads.iter().for_each(|root| trees.entry(root).or_default().then.push((node, None)));
    }
    if trees.is_empty() {
        return;
    }
    // No node waits for one that runs only when it is notified.
    for (node, claims) in (0..).zip(nodes.claims).filter(|(node, _)| !nodes.list.is_on_request(*node)) {
        for above in changed(claims).flat_map(|path| path.ancestors().skip(1)) {
            let is_reader = || claims.reads.iter().any(|read| read == above);
            if let Some(Meeting { first: writers, .. }) = trees.get_mut(above)
                && !is_reader()
                && writers.last() != Some(&node)
            {
                writers.push(node);
            }
        }
    }
    for (root, Meeting { first, then }) in trees {
        let claim = Claim::Path(root.to_owned());
        draft.join(&first, &then, &Reason::Inside(nodes.shown(&claim)));
    }
}

/// Whether a node reads the trees that it claims to. A removal reads nothing, and a handler that runs at once cannot wait.
fn reads_trees(nodes: &Nodes<'_>, node: NodeIndex) -> bool {
    *nodes.entry(node).action() != Action::Remove && !nodes.list.is_on_request(node)
}

/// The paths that a resource makes, removes or edits.
fn changed(claims: &Claims) -> impl Iterator<Item = &Path> {
    claims.provided().chain(&claims.edits).filter_map(path_of)
}
