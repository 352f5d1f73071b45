//! Running a part of a program.

use crate::graph::{Graph, NodeIndex};
use crate::program::Program;

/// The actions that a run is about. Whatever one of them stands on is among them, and nothing
/// that stands on something left out.
#[derive(Clone, Debug)]
pub struct Selection {
    chosen: Vec<bool>,
}

impl Selection {
    /// What `targets` accepts, with all that it stands on, and what is done when somebody of these asks; without what
    /// `excluded` accepts, and all that stands on that. `targets` is asked for written actions alone.
    pub fn new(
        program: &Program,
        targets: impl Fn(NodeIndex) -> bool,
        excluded: impl Fn(NodeIndex) -> bool,
    ) -> Self {
        let written = program.list.len();
        let mut choice = Choice::new(program);
        (0..).take(written).filter(|node| targets(*node)).for_each(|node| choice.choose(node));
        let mut chosen = choice.whole();
        let mut without: Vec<bool> = vec![false; chosen.len()];
        for (node, without) in (0..).zip(&mut without[..program.list.all().len()]) {
            *without = excluded(node);
        }
        for node in topological(&program.graph) {
            if without[node as usize] {
                stands(&program.graph, node).for_each(|after| without[after as usize] = true);
            }
        }
        chosen.iter_mut().zip(without).for_each(|(chosen, without)| *chosen &= !without);
        Self { chosen }
    }

    /// Exactly the actions that `planned` accepts, to repeat an earlier selection. It is asked for every action,
    /// also for those that run only when they are notified.
    pub fn exactly(program: &Program, planned: impl Fn(NodeIndex) -> bool) -> Self {
        let mut chosen = vec![true; program.graph.incoming().len()];
        for (node, chosen) in (0..).zip(&mut chosen[..program.list.all().len()]) {
            *chosen = planned(node);
        }
        Self { chosen }
    }

    /// Whether an action is among them. One that only nested resources notify always is.
    pub fn contains(&self, node: NodeIndex) -> bool {
        self.chosen.get(node as usize).copied().unwrap_or(true)
    }
}

/// What is chosen so far, and what it brings with it.
struct Choice<'a> {
    program: &'a Program,
    chosen: Vec<bool>,
    /// Chosen, and what they stand on is not yet.
    open: Vec<NodeIndex>,
    /// What each node stands on.
    before: Vec<Vec<NodeIndex>>,
    /// Whether a group's notifications are chosen.
    groups: Vec<bool>,
}

impl<'a> Choice<'a> {
    fn new(program: &'a Program) -> Self {
        let nodes = program.graph.incoming().len();
        let mut before = vec![Vec::new(); nodes];
        for node in (0..).take(nodes) {
            stands(&program.graph, node).for_each(|after| before[after as usize].push(node));
        }
        let groups = vec![false; program.list.groups().len()];
        Self { program, chosen: vec![false; nodes], open: Vec::new(), before, groups }
    }

    fn choose(&mut self, node: NodeIndex) {
        if !std::mem::replace(&mut self.chosen[node as usize], true) {
            self.open.push(node);
        }
    }

    /// All of it: each node is met once.
    fn whole(mut self) -> Vec<bool> {
        while let Some(node) = self.open.pop() {
            for before in std::mem::take(&mut self.before[node as usize]) {
                self.choose(before);
            }
            if !self.program.graph.is_gate(node) {
                self.choose_told(node);
            }
        }
        self.chosen
    }

    /// Whoever may be told by a node, or by the groups around it.
    fn choose_told(&mut self, node: NodeIndex) {
        let (list, notices) = (&self.program.list, &self.program.notifications);
        let entry = list.get(node as usize);
        notices.of_resource(entry.resource).iter().for_each(|told| self.choose(told.target));
        for group in list.groups().around(entry.group) {
            if std::mem::replace(&mut self.groups[group.place()], true) {
                break;
            }
            notices.of_group(group).iter().for_each(|told| self.choose(told.target));
        }
    }
}

/// What stands on `node`, gates included.
fn stands(graph: &Graph, node: NodeIndex) -> impl Iterator<Item = NodeIndex> {
    graph.after(node).iter().filter(|edge| edge.reason.stands()).map(|edge| edge.after)
}

/// All nodes and gates, each after what comes before it.
fn topological(graph: &Graph) -> Vec<NodeIndex> {
    let mut waiting = graph.incoming().to_vec();
    let free = (0..).zip(&waiting).filter(|(_, count)| **count == 0);
    let mut order: Vec<NodeIndex> = free.map(|(node, _)| node).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for edge in graph.after(node) {
            waiting[edge.after as usize] -= 1;
            if waiting[edge.after as usize] == 0 {
                order.push(edge.after);
            }
        }
    }
    order
}
