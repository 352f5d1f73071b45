//! The paths in an expression.

use super::contents::PathStep;
use crate::tree::{Gathered, Literal, Loop, Node, NodeId, TreeView};

/// Collects paths.
pub(super) struct Uses<'a> {
    tree: TreeView<'a>,
    /// Variables of the enclosing loops.
    variables: Vec<&'a str>,
    found: &'a mut Vec<Vec<PathStep>>,
}

impl<'a> Uses<'a> {
    pub(super) fn new(tree: TreeView<'a>, found: &'a mut Vec<Vec<PathStep>>) -> Self {
        Self { tree, variables: Vec::new(), found }
    }

    /// Collects all paths in a node. Recursive; the parser limits the depth.
    pub(super) fn node(&mut self, id: NodeId) {
        match self.tree.node(id) {
            Node::Known(_) | Node::Element => {}
            Node::Name(_) | Node::Field { .. } | Node::Index { .. } => self.path(id),
            Node::Not(of) | Node::Negative(of) => self.node(of),
            Node::Splat { of, each } => self.all([of, each]),
            Node::Binary { .. } => {
                let mut operands = vec![id];
                while let Some(id) = operands.pop() {
                    match self.tree.node(id) {
                        Node::Binary { left, right, .. } => operands.extend([right, left]),
                        _ => self.node(id),
                    }
                }
            }
            Node::Conditional { condition, yes, no } => self.all([condition, yes, no]),
            Node::Call(call) => self.all(call.arguments.iter()),
            Node::For(id) => self.loop_(&self.tree.loop_(id)),
            Node::Template(parts) | Node::List(parts) | Node::Object(parts) => self.all(parts.iter()),
        }
    }

    fn all(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        nodes.into_iter().for_each(|node| self.node(node));
    }

    fn loop_(&mut self, each: &Loop) {
        self.node(each.collection);
        let outside = self.variables.len();
        let variables = each.key.iter().chain([&each.value]);
        self.variables.extend(variables.map(|variable| self.tree.written(*variable)));
        self.all(each.condition);
        match each.result {
            Gathered::List(node) | Gathered::Text(node) => self.node(node),
            Gathered::Object { key, value } | Gathered::Grouped { key, value } => self.all([key, value]),
        }
        self.variables.truncate(outside);
    }

    fn path(&mut self, id: NodeId) {
        let mut steps = Vec::new();
        let mut at = id;
        loop {
            at = match self.tree.node(at) {
                Node::Field { of, name } => {
                    steps.push(self.field(at, name));
                    of
                }
                Node::Index { of, index } => {
                    steps.push(self.index(index));
                    of
                }
                _ => break,
            };
        }
        let Node::Name(root) = self.tree.node(at) else { return self.node(at) };
        if !self.variables.contains(&root) {
            let range = self.tree.span(at).range();
            steps.push(PathStep { name: Some(root.into()), range, index: false });
            steps.reverse();
            self.found.push(steps);
        }
    }

    /// The span of a field covers the whole path up to it.
    fn field(&self, at: NodeId, name: &str) -> PathStep {
        let end = self.tree.span(at).range().end;
        PathStep { name: Some(name.into()), range: end.saturating_sub(name.len())..end, index: false }
    }

    fn index(&mut self, index: NodeId) -> PathStep {
        let name = match self.tree.node(index) {
            Node::Known(Literal::Text(text)) => Some(text.into()),
            Node::Known(Literal::Int(number)) => Some(number.to_string().into()),
            _ => {
                self.node(index);
                None
            }
        };
        PathStep { name, range: self.tree.span(index).range(), index: true }
    }
}
