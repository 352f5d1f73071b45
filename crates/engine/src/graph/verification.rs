//! Edges of verified groups: a dependent outside the group waits for the verification, not only for the member.

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Moment, Reference};

use super::Nodes;
use super::adjacency::Graph;
use super::edge::{Edge, NodeIndex, Reason};
use super::loops::without_loops;
use crate::program::list::GroupIndex;
use crate::program::set::ResourceIndex;

/// The graph in which the action that verifies a group comes after its members, and before everything outside that comes
/// after a member. An edge that only prefers an order is not added where it would make a loop.
pub(super) fn after_verification(nodes: &Nodes<'_>, graph: Graph) -> Graph {
    if nodes.notifications.verifiers().next().is_none() {
        return graph;
    }
    let edges = Verified::new(nodes, &graph).edges();
    let is_verifier = |node| nodes.notifications.verified_by(node).is_some();
    without_loops(graph.with(edges), |edge| edge.reason.gives_way() && is_verifier(edge.before))
}

struct Verified<'a> {
    nodes: &'a Nodes<'a>,
    graph: &'a Graph,
    /// Actions that run before a member changes, and cannot wait for its verification.
    earlier: FxHashSet<NodeIndex>,
}

impl<'a> Verified<'a> {
    fn new(nodes: &'a Nodes<'a>, graph: &'a Graph) -> Self {
        let before = nodes.notifications.pairs().filter(|(_, notice)| notice.moment == Moment::Before);
        Self { nodes, graph, earlier: before.map(|(_, notice)| notice.target).collect() }
    }

    fn edges(&self) -> Vec<Edge> {
        let mut edges = self.named();
        // The groups before each gate at which many nodes meet many others.
        let mut meetings: FxHashMap<NodeIndex, FxHashSet<GroupIndex>> = FxHashMap::default();
        for edge in &self.graph.edges {
            if let Some(ending) = self.graph.group_ending_at(edge.after) {
                let verifier = self.nodes.notifications.verifier(ending);
                edges.extend(verifier.map(|verifier| {
                    let place = self.nodes.list.groups.get(ending).place;
                    Edge::new(edge.before, verifier, Reason::Verifies, place)
                }));
            } else if self.graph.is_gate(edge.after) {
                meetings.entry(edge.after).or_default().extend(self.groups_before(edge));
            } else {
                edges.extend(self.groups_before(edge).filter_map(|group| self.edge(group, edge)));
            }
        }
        for (gate, groups) in meetings {
            let after = self.graph.after(gate).iter();
            edges.extend(after.flat_map(|edge| groups.iter().filter_map(|group| self.edge(*group, edge))));
        }
        edges
    }

    /// Edges of `depends_on` with the action that verifies a group, as messages name it.
    fn named(&self) -> Vec<Edge> {
        let (set, list) = (self.nodes.set, self.nodes.list);
        let verifiers = self.nodes.notifications.verifiers();
        let verifiers: FxHashMap<ResourceIndex, NodeIndex> =
            verifiers.map(|verifier| (list.get(verifier as usize).resource, verifier)).collect();
        let edge = |node: NodeIndex, reference: &Reference| {
            let verifier = verifiers.get(&set.find(&reference.target)?)?;
            Some(Edge::new(*verifier, node, Reason::DependsOn, reference.place))
        };
        let nodes = (0..).zip(list.all());
        let edges = nodes.flat_map(|(node, entry)| {
            let of_resource = &set.entry(entry.resource).declaration.meta.depends_on;
            of_resource
                .iter()
                .chain(entry.depends_on())
                .filter_map(|reference| edge(node, reference))
                .collect::<Vec<_>>()
        });
        edges.collect()
    }

    /// The verified groups around the start of an edge. Its end waits for the end of its own group in any case.
    fn groups_before(&self, edge: &Edge) -> impl Iterator<Item = GroupIndex> {
        let list = self.nodes.list;
        let group = match self.graph.group_ending_at(edge.before) {
            Some(ended) => list.groups.get(ended).parent,
            None if self.graph.is_gate(edge.before) || list.is_on_request(edge.before) => None,
            None => list.get(edge.before as usize).group,
        };
        list.groups.around(group).filter(|group| self.nodes.notifications.verifier(*group).is_some())
    }

    /// The edge from the verification of a group to the end of an edge, if that is outside the group.
    fn edge(&self, group: GroupIndex, edge: &Edge) -> Option<Edge> {
        let list = self.nodes.list;
        let mut around = list.groups.around(list.get(edge.after as usize).group);
        if self.earlier.contains(&edge.after) || around.any(|around| around == group) {
            return None;
        }
        let verifier = self.nodes.notifications.verifier(group)?;
        Some(Edge::new(verifier, edge.after, edge.reason.clone(), edge.place).without_path())
    }
}
