//! The walk over the graph: what each node still waits for, and what is passed on to it.

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::Name;

use crate::errand::Release;
use crate::graph::{Edge, NodeIndex};
use crate::program::Program;
use crate::visit::Before;

/// How far the walk is.
pub(crate) struct Walk<'a> {
    program: &'a Program,
    /// How many nodes each one still waits for.
    waiting: Vec<u32>,
    /// What those before it passed on, if that was anything: in a run that goes well it mostly is not.
    passed: FxHashMap<NodeIndex, Release>,
    /// Who does not wait for whom, because it was asked by it: `(asked by, who)`.
    ahead: FxHashSet<(NodeIndex, NodeIndex)>,
}

/// What can go on, because everything before it is done.
pub(crate) enum Free {
    /// An action.
    Node(NodeIndex),
    /// The end of a group, at which something is done before it lets others through.
    End(NodeIndex),
}

impl<'a> Walk<'a> {
    pub(crate) fn new(program: &'a Program) -> Self {
        let waiting = program.graph.incoming().to_vec();
        Self { program, waiting, passed: FxHashMap::default(), ahead: FxHashSet::default() }
    }

    /// What waits for nothing from the start.
    pub(crate) fn first(&self) -> Vec<Free> {
        let free = (0..).zip(&self.waiting).filter(|(_, count)| **count == 0);
        free.filter_map(|(node, _)| self.free(node)).collect()
    }

    /// Whether everything before a node is done.
    pub(crate) fn is_free(&self, node: NodeIndex) -> bool {
        self.waiting[node as usize] == 0
    }

    /// `node` is asked for by something that it stands on and that waits for it: it does not wait for that, but what
    /// is known of it counts.
    pub(crate) fn go_ahead(&mut self, by: NodeIndex, node: NodeIndex, release: Release) {
        let program = self.program;
        let edges = program.graph.after(by);
        let Ok(found) = edges.binary_search_by_key(&node, |edge| edge.after) else { return };
        self.inform(&edges[found], release);
        if self.ahead.insert((by, node)) {
            self.waiting[node as usize] -= 1;
        }
    }

    /// The root cause that keeps a node from running.
    pub(crate) fn root(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.passed(node).root
    }

    /// What a visit has to know.
    pub(crate) fn before(&self, node: NodeIndex) -> Before {
        let Release { changes, unpredicted, secret, .. } = self.passed(node);
        let name = |node: NodeIndex| -> Name {
            let resource = self.program.list.get(node as usize).resource;
            self.program.set.id(resource).to_string().into()
        };
        Before { changes: changes.map(name), unpredicted: unpredicted.map(name), secret, ..Before::default() }
    }

    /// A node or gate is done: what can go on now. What its own visit does not say was passed on to it.
    pub(crate) fn release(&mut self, node: NodeIndex, own: Release) -> Vec<Free> {
        let mut free = Vec::new();
        let mut open = vec![(node, self.merge(node, own))];
        let program = self.program;
        while let Some((node, release)) = open.pop() {
            for edge in program.graph.after(node) {
                self.pass_on(edge, release);
                if self.waiting[edge.after as usize] > 0 {
                    continue;
                }
                match self.free(edge.after) {
                    Some(found) => free.push(found),
                    // A gate adds nothing of its own: everything goes through.
                    None => open.push((edge.after, self.merge(edge.after, Release::default()))),
                }
            }
        }
        free
    }

    fn merge(&self, node: NodeIndex, own: Release) -> Release {
        let passed = self.passed(node);
        let is_gate = self.program.graph.is_gate(node);
        Release {
            root: if is_gate { passed.root } else { own.root },
            changes: own.changes.or(passed.changes),
            unpredicted: own.unpredicted.or(passed.unpredicted),
            secret: if is_gate { passed.secret } else { own.secret },
            // What was skipped for it passes it on.
            unwritten: own.unwritten || passed.unwritten,
        }
    }

    /// What is before the edge is done with.
    fn pass_on(&mut self, edge: &Edge, release: Release) {
        self.inform(edge, release);
        if self.ahead.is_empty() || !self.ahead.contains(&(edge.before, edge.after)) {
            self.waiting[edge.after as usize] -= 1;
        }
    }

    fn inform(&mut self, edge: &Edge, release: Release) {
        let stands = edge.reason.stands();
        let changes = stands || edge.is_follow();
        let unwritten = release.unwritten && edge.is_edit() && release.root.is_some();
        let release = Release {
            root: release.root.filter(|_| stands || unwritten),
            unwritten,
            changes: release.changes.filter(|_| changes),
            unpredicted: release.unpredicted.filter(|_| changes),
            secret: release.secret && edge.path,
        };
        if release == Release::default() {
            return;
        }
        let passed = self.passed.entry(edge.after).or_default();
        passed.secret |= release.secret;
        passed.unwritten |= release.unwritten;
        passed.root = passed.root.or(release.root);
        passed.changes = passed.changes.or(release.changes);
        passed.unpredicted = passed.unpredicted.or(release.unpredicted);
    }

    fn passed(&self, node: NodeIndex) -> Release {
        self.passed.get(&node).copied().unwrap_or_default()
    }

    fn free(&self, node: NodeIndex) -> Option<Free> {
        let graph = &self.program.graph;
        match graph.is_gate(node) {
            false => Some(Free::Node(node)),
            true => graph.group_ending_at(node).map(|_| Free::End(node)),
        }
    }
}
