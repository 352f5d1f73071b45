//! The walk over the graph: the prerequisites that each node waits for, and the facts that they pass on to it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Edge, Graph, NodeIndex};
use crate::program::list::GroupIndex;

/// The facts that a node passes on to its dependents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Downstream {
    /// The root cause that keeps them from running.
    pub(crate) root: Option<NodeIndex>,
    /// In a plan, a dependency that changes.
    pub(crate) changes: Option<NodeIndex>,
    /// In a plan, a dependency that changes in a way that cannot be predicted.
    pub(crate) unpredicted: Option<NodeIndex>,
    /// Whether there is a secret at the node's path.
    pub(crate) secret: bool,
    /// Whether the root cause is a file that could not be written: later edits of it would come out in another order.
    pub(crate) unwritten: bool,
}

/// A node or group end whose prerequisites are done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Freed {
    Node(NodeIndex),
    /// Notifications are delivered here, before the gate lets anything through.
    GroupEnd(GroupIndex),
}

/// How far the walk has come.
pub(crate) struct Walk<'p> {
    graph: &'p Graph,
    /// The prerequisites that each node and gate still waits for.
    waiting: Vec<u32>,
    /// The facts that prerequisites passed on to a node. In a run without failures there are mostly none.
    passed: FxHashMap<NodeIndex, Downstream>,
    /// Edges that were released early, because the second node was notified by the first, which waits for it.
    ahead: FxHashSet<(NodeIndex, NodeIndex)>,
}

impl<'p> Walk<'p> {
    pub(crate) fn new(graph: &'p Graph) -> Self {
        let waiting = graph.incoming.to_vec();
        Self { graph, waiting, passed: FxHashMap::default(), ahead: FxHashSet::default() }
    }

    /// Nodes and group ends without prerequisites.
    pub(crate) fn first(&self) -> Vec<Freed> {
        let free = (0..).zip(&self.waiting).filter(|(_, count)| **count == 0);
        free.filter_map(|(node, _)| self.freed(node)).collect()
    }

    /// Whether all prerequisites of a node are done. One that was added while the program runs has none.
    pub(crate) fn is_free(&self, node: NodeIndex) -> bool {
        self.waiting.get(node as usize).is_none_or(|count| *count == 0)
    }

    /// Lets `target` run before `by` is done: `by` notified it and waits for it.
    pub(crate) fn go_ahead(&mut self, by: NodeIndex, target: NodeIndex, downstream: Downstream) {
        let graph = self.graph;
        let edges = graph.after(by);
        let Ok(found) = edges.binary_search_by_key(&target, |edge| edge.after) else { return };
        self.inform(&edges[found], downstream);
        if self.ahead.insert((by, target)) {
            self.waiting[target as usize] -= 1;
        }
    }

    /// The facts that the prerequisites of a node passed on to it.
    pub(crate) fn passed(&self, node: NodeIndex) -> Downstream {
        self.passed.get(&node).copied().unwrap_or_default()
    }

    /// A node or gate is done: the nodes and group ends that are free now. Facts that `own` does not set are passed on from
    /// the prerequisites of the node.
    pub(crate) fn release(&mut self, node: NodeIndex, own: Downstream) -> Vec<Freed> {
        let mut freed = Vec::new();
        let mut open = vec![(node, self.merge(node, own))];
        let graph = self.graph;
        while let Some((node, downstream)) = open.pop() {
            for edge in graph.after(node) {
                self.pass_on(edge, downstream);
                if !self.is_free(edge.after) {
                    continue;
                }
                match self.freed(edge.after) {
                    Some(found) => freed.push(found),
                    // A gate adds nothing of its own: everything goes through.
                    None => open.push((edge.after, self.merge(edge.after, Downstream::default()))),
                }
            }
        }
        freed
    }

    fn merge(&self, node: NodeIndex, own: Downstream) -> Downstream {
        let passed = self.passed(node);
        let is_gate = self.graph.is_gate(node);
        Downstream {
            root: if is_gate { own.root.or(passed.root) } else { own.root },
            changes: own.changes.or(passed.changes),
            unpredicted: own.unpredicted.or(passed.unpredicted),
            secret: if is_gate { passed.secret } else { own.secret },
            // An edit that was skipped for it passes it on.
            unwritten: own.unwritten || passed.unwritten,
        }
    }

    fn pass_on(&mut self, edge: &Edge, downstream: Downstream) {
        self.inform(edge, downstream);
        if self.ahead.is_empty() || !self.ahead.contains(&(edge.before, edge.after)) {
            self.waiting[edge.after as usize] -= 1;
        }
    }

    fn inform(&mut self, edge: &Edge, downstream: Downstream) {
        let is_dependency = edge.reason.is_dependency();
        let changes = is_dependency || edge.is_follow();
        let unwritten = downstream.unwritten && edge.is_edit() && downstream.root.is_some();
        let facts = Downstream {
            root: downstream.root.filter(|_| is_dependency || unwritten),
            unwritten,
            changes: downstream.changes.filter(|_| changes),
            unpredicted: downstream.unpredicted.filter(|_| changes),
            secret: downstream.secret && edge.path,
        };
        if facts == Downstream::default() {
            return;
        }
        let passed = self.passed.entry(edge.after).or_default();
        passed.secret |= facts.secret;
        passed.unwritten |= facts.unwritten;
        passed.root = first_written(passed.root, facts.root);
        passed.changes = first_written(passed.changes, facts.changes);
        passed.unpredicted = first_written(passed.unpredicted, facts.unpredicted);
    }

    /// None for a gate at which nothing happens.
    fn freed(&self, node: NodeIndex) -> Option<Freed> {
        if self.graph.is_gate(node) {
            self.graph.group_ending_at(node).map(Freed::GroupEnd)
        } else {
            Some(Freed::Node(node))
        }
    }
}

/// Of two prerequisites, the one that is written first, so that messages do not depend on the number of workers.
fn first_written(one: Option<NodeIndex>, other: Option<NodeIndex>) -> Option<NodeIndex> {
    one.into_iter().chain(other).min()
}
