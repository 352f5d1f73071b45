//! The order of resources that are no longer declared: they are removed after everything else, or before another resource
//! takes their place.

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Action, Claim, Diagnostics};

use super::Nodes;
use super::adjacency::Draft;
use super::edge::{Edge, NodeIndex, Reason};

pub(super) fn last(nodes: &Nodes<'_>, draft: &mut Draft, _: &mut Diagnostics) {
    let written = || (0..).zip(nodes.list.iter()).map(|(node, _): (NodeIndex, _)| node);
    let left: Vec<NodeIndex> = written().filter(|node| nodes.is_left(*node)).collect();
    if left.is_empty() {
        return;
    }
    let replaced = replaced(nodes, &left);
    let early = with_prerequisites(&replaced, nodes, draft);
    let declared: Vec<NodeIndex> = written().filter(|node| !nodes.is_left(*node)).collect();
    let late: Vec<_> = left.iter().filter(|node| !early.contains(node)).map(|node| (*node, None)).collect();
    draft.join(&declared, &late, &Reason::NoLongerDeclared);
    let edge = |(removed, holder)| Edge::new(removed, holder, Reason::NoLongerDeclared, None);
    draft.extend(replaced.into_iter().map(edge));
}

/// The removals of things that a declared resource holds from now on, such as a file in place of a link; each with the node
/// that converges it.
fn replaced(nodes: &Nodes<'_>, left: &[NodeIndex]) -> Vec<(NodeIndex, NodeIndex)> {
    let held = |node: NodeIndex| nodes.claims[node as usize].holds.iter();
    let removed: FxHashMap<&Claim, NodeIndex> =
        left.iter().flat_map(|node| held(*node).map(move |claim| (claim, *node))).collect();
    let declared = (0..).zip(nodes.list.iter());
    let declared = declared.filter(|(node, entry): &(NodeIndex, _)| {
        !nodes.is_left(*node) && *entry.action() == Action::Converge
    });
    let pairs = declared.flat_map(|(holder, _)| {
        held(holder).filter_map(|claim| removed.get(claim)).map(move |removed| (*removed, holder))
    });
    pairs.collect()
}

/// These removals, and those that have to be made before them.
fn with_prerequisites(
    replaced: &[(NodeIndex, NodeIndex)],
    nodes: &Nodes<'_>,
    draft: &Draft,
) -> FxHashSet<NodeIndex> {
    let mut open: Vec<NodeIndex> = replaced.iter().map(|(removed, _)| *removed).collect();
    let mut found = FxHashSet::default();
    if open.is_empty() {
        return found;
    }
    let is_left = |node: NodeIndex| (node as usize) < nodes.list.len() && nodes.is_left(node);
    let mut before: FxHashMap<NodeIndex, Vec<NodeIndex>> = FxHashMap::default();
    for edge in draft.edges().iter().filter(|edge| is_left(edge.before) && is_left(edge.after)) {
        before.entry(edge.after).or_default().push(edge.before);
    }
    while let Some(node) = open.pop() {
        if found.insert(node) {
            open.extend(before.get(&node).into_iter().flatten());
        }
    }
    found
}
