//! The facts of a program that decide which nodes a watch visits, and when.

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Action, Limit, Reference, Term};

use crate::graph::{Graph, NodeIndex};
use crate::program::Program;
use crate::program::set::ResourceIndex;

/// The facts of a program that decide which nodes are woken, and when.
pub(crate) struct WatchShape<'p> {
    pub(crate) graph: &'p Graph,
    pub(crate) index: WakeIndex,
    pub(crate) predecessors: Predecessors,
    pub(crate) polls: FxHashMap<NodeIndex, Duration>,
    pub(crate) limits: FxHashMap<NodeIndex, &'p Limit>,
}

impl<'p> WatchShape<'p> {
    pub(crate) fn of(program: &'p Program, index: WakeIndex) -> Self {
        let nodes = || (0..).zip(program.list.all()).map(|(node, _)| node);
        let handled = || nodes().filter_map(|node: NodeIndex| Some((node, program.handling(node)?)));
        Self {
            graph: &program.graph,
            index,
            predecessors: Predecessors::of(&program.graph),
            polls: handled().filter_map(|(node, handling)| Some((node, handling.poll?))).collect(),
            limits: handled().filter_map(|(node, handling)| Some((node, handling.limit.as_ref()?))).collect(),
        }
    }
}

/// The nodes that are woken when the values of a resource change, or the resource itself. Made once for a program.
#[derive(Default)]
pub(crate) struct WakeIndex {
    /// Whether each node is watched: the last written action of each resource is. Earlier ones were done once, on the way.
    watched: Vec<bool>,
    /// Nodes that read a resource.
    readers: FxHashMap<ResourceIndex, Vec<NodeIndex>>,
    /// Nodes in a group that subscribes to a resource.
    subscribers: FxHashMap<ResourceIndex, Vec<NodeIndex>>,
    /// Nodes that notify a target.
    notifiers: FxHashMap<NodeIndex, FxHashSet<NodeIndex>>,
}

impl WakeIndex {
    pub(crate) fn of(program: &Program) -> Self {
        let mut index = Self { watched: watched(program), ..Self::default() };
        index.find_subscribers(program);
        index.find_readers_and_notifiers(program);
        index
    }

    /// An index of this many watched nodes, without readers, subscribers and notifiers.
    #[cfg(test)]
    pub(super) fn of_nodes(nodes: usize) -> Self {
        Self { watched: vec![true; nodes], ..Self::default() }
    }

    fn find_readers_and_notifiers(&mut self, program: &Program) {
        let groups = &program.list.groups;
        for (node, entry) in (0..).zip(program.list.iter()).filter(|(node, _)| self.watched[*node as usize]) {
            let guards = groups.around(entry.group).flat_map(|group| groups.get(group).guards());
            let terms = guards.map(|guard| &guard.condition).chain(entry.when());
            let declared = program.set.entry(entry.resource);
            let references = declared.references().chain(terms.flat_map(Term::references));
            let values = references.filter(|reference: &&Reference| !reference.path.is_empty());
            for resource in values.filter_map(|reference| program.set.find(&reference.target)) {
                add(&mut self.readers, resource, node);
            }
            let of_groups =
                groups.around(entry.group).flat_map(|group| program.notifications.of_group(group));
            for notice in program.notifications.of_resource(entry.resource).iter().chain(of_groups) {
                self.notifiers.entry(notice.target).or_default().insert(node);
            }
            let verifiers =
                groups.around(entry.group).filter_map(|group| program.notifications.verifier(group));
            for verifier in verifiers {
                self.notifiers.entry(verifier).or_default().insert(node);
            }
        }
    }

    fn find_subscribers(&mut self, program: &Program) {
        if program.notifications.subscriptions().next().is_none() {
            return;
        }
        for (node, entry) in (0..).zip(program.list.iter()) {
            for group in program.list.groups.around(entry.group) {
                let Some(resources) = program.notifications.subscribed(group) else { continue };
                // It runs when one of these changes, and is not watched; with none of them it never runs.
                self.watched[node as usize] = false;
                resources.iter().for_each(|resource| add(&mut self.subscribers, *resource, node));
            }
        }
    }

    /// Whether a node is watched: visited whenever it may have changed.
    pub(crate) fn is_watched(&self, node: NodeIndex) -> bool {
        self.watched[node as usize]
    }

    pub(crate) fn watched(&self) -> impl Iterator<Item = NodeIndex> {
        (0..).zip(&self.watched).filter(|(_, watched)| **watched).map(|(node, _)| node)
    }

    /// Nodes that read a resource.
    pub(crate) fn readers(&self, resource: ResourceIndex) -> &[NodeIndex] {
        self.readers.get(&resource).map_or(&[], Vec::as_slice)
    }

    /// Nodes in a group that subscribes to a resource.
    pub(crate) fn subscribers(&self, resource: ResourceIndex) -> &[NodeIndex] {
        self.subscribers.get(&resource).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn notifies(&self, node: NodeIndex, target: NodeIndex) -> bool {
        self.notifiers.get(&target).is_some_and(|notifiers| notifiers.contains(&node))
    }
}

fn add(map: &mut FxHashMap<ResourceIndex, Vec<NodeIndex>>, resource: ResourceIndex, node: NodeIndex) {
    let nodes = map.entry(resource).or_default();
    // Entries of one node follow each other.
    if nodes.last() != Some(&node) {
        nodes.push(node);
    }
}

/// The last action of each resource that declares its state. A verb does not.
fn watched(program: &Program) -> Vec<bool> {
    let mut watched = vec![false; program.list.all().len()];
    let mut last: FxHashMap<ResourceIndex, NodeIndex> = FxHashMap::default();
    for (node, entry) in (0..).zip(program.list.iter()) {
        if !matches!(entry.action(), Action::Verb(_)) {
            last.insert(entry.resource, node);
        }
    }
    last.into_values().for_each(|node| watched[node as usize] = true);
    watched
}

/// The graph backwards: its edges, sorted by where they end.
pub(crate) struct Predecessors {
    /// Where an edge starts, and whether its end depends on it.
    edges: Vec<(NodeIndex, bool)>,
    starts: Vec<u32>,
    /// How many nodes are no gates.
    nodes: usize,
}

impl Predecessors {
    pub(crate) fn of(graph: &Graph) -> Self {
        let mut starts = vec![0; graph.incoming.len() + 1];
        for (node, count) in graph.incoming.iter().enumerate() {
            starts[node + 1] = starts[node] + count;
        }
        let mut free = starts.clone();
        let mut edges = vec![(0, false); graph.edges.len()];
        for edge in &graph.edges {
            let slot = &mut free[edge.after as usize];
            edges[*slot as usize] = (edge.before, edge.reason.is_dependency());
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
        self.search(node, is_so, |before, depends| depends && self.is_gate(before))
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
            for &(before, depends) in self.before(node) {
                let goes_on = goes_on(before, depends);
                let counts = !self.is_gate(before) && (depends || goes_on);
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
