//! Selections: running a part of a program.

use crate::graph::{Graph, NodeIndex};
use crate::program::Program;

/// The actions of a run. With an action, all its dependencies are selected; without one, none of its dependents are.
#[derive(Clone, Debug)]
pub struct Selection {
    chosen: Vec<bool>,
    left_out: Vec<LeftOut>,
}

/// An action that is not selected because it depends on an excluded one.
#[derive(Clone, Copy, Debug)]
pub struct LeftOut {
    /// The action.
    pub action: NodeIndex,
    /// The excluded action.
    pub excluded: NodeIndex,
}

impl Selection {
    /// The actions that `targets` accepts, with all their dependencies, and the actions that any of these notify; without
    /// those that `excluded` accepts, and all their dependents. `targets` is called for written actions only.
    pub fn new(
        program: &Program,
        targets: impl Fn(NodeIndex) -> bool,
        excluded: impl Fn(NodeIndex) -> bool,
    ) -> Self {
        let written = program.list.len();
        let mut choice = Choice::new(program);
        (0..).take(written).filter(|node| targets(*node)).for_each(|node| choice.choose(node));
        let mut chosen = choice.whole();
        // The excluded action because of which each one is left out.
        let mut roots: Vec<Option<NodeIndex>> = vec![None; chosen.len()];
        for (node, root) in (0..).zip(&mut roots[..program.list.all().len()]) {
            *root = excluded(node).then_some(node);
        }
        for node in program.graph.topological() {
            if let Some(root) = roots[node as usize] {
                dependents(&program.graph, node)
                    .for_each(|after| _ = roots[after as usize].get_or_insert(root));
            }
        }
        let mut left_out = Vec::new();
        for ((node, chosen), root) in (0..).zip(&mut chosen).zip(roots) {
            let Some(root) = root.filter(|_| std::mem::take(chosen)) else { continue };
            if (node as usize) < written && root != node {
                left_out.push(LeftOut { action: node, excluded: root });
            }
        }
        Self { chosen, left_out }
    }

    /// The written actions that are not selected because they depend on excluded ones.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// Exactly the actions that `planned` accepts, to repeat an earlier selection. It is called for every action, also for
    /// those that run only when they are notified.
    pub fn exactly(program: &Program, planned: impl Fn(NodeIndex) -> bool) -> Self {
        let mut chosen = vec![true; program.graph.incoming.len()];
        for (node, chosen) in (0..).zip(&mut chosen[..program.list.all().len()]) {
            *chosen = planned(node);
        }
        Self { chosen, left_out: Vec::new() }
    }

    /// Whether an action is selected. One that only nested resources notify always is.
    pub fn contains(&self, node: NodeIndex) -> bool {
        self.chosen.get(node as usize).copied().unwrap_or(true)
    }
}

/// The nodes that are chosen so far.
struct Choice<'a> {
    program: &'a Program,
    chosen: Vec<bool>,
    /// Chosen nodes whose dependencies are not chosen yet.
    open: Vec<NodeIndex>,
    /// The dependencies of each node.
    before: Vec<Vec<NodeIndex>>,
    /// Whether a group's notifications are chosen.
    groups: Vec<bool>,
}

impl<'a> Choice<'a> {
    fn new(program: &'a Program) -> Self {
        let nodes = program.graph.incoming.len();
        let mut before = vec![Vec::new(); nodes];
        for node in (0..).take(nodes) {
            dependents(&program.graph, node).for_each(|after| before[after as usize].push(node));
        }
        let groups = vec![false; program.list.groups.len()];
        Self { program, chosen: vec![false; nodes], open: Vec::new(), before, groups }
    }

    fn choose(&mut self, node: NodeIndex) {
        if !std::mem::replace(&mut self.chosen[node as usize], true) {
            self.open.push(node);
        }
    }

    /// Chooses everything that the chosen nodes need. Each node is met once.
    fn whole(mut self) -> Vec<bool> {
        while let Some(node) = self.open.pop() {
            for before in std::mem::take(&mut self.before[node as usize]) {
                self.choose(before);
            }
            if !self.program.graph.is_gate(node) {
                self.choose_notified(node);
            }
        }
        self.chosen
    }

    /// Chooses the actions that a node and the groups around it notify, and those that verify the groups.
    fn choose_notified(&mut self, node: NodeIndex) {
        let (list, notices) = (&self.program.list, &self.program.notifications);
        let entry = list.get(node as usize);
        notices.of_resource(entry.resource).iter().for_each(|notice| self.choose(notice.target));
        for group in list.groups.around(entry.group) {
            if std::mem::replace(&mut self.groups[group.place()], true) {
                break;
            }
            notices.of_group(group).iter().for_each(|notice| self.choose(notice.target));
            notices.verifier(group).into_iter().for_each(|verifier| self.choose(verifier));
        }
    }
}

/// The direct dependents of `node`, gates included.
fn dependents(graph: &Graph, node: NodeIndex) -> impl Iterator<Item = NodeIndex> {
    graph.after(node).iter().filter(|edge| edge.reason.is_dependency()).map(|edge| edge.after)
}
