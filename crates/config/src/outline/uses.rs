//! The paths in an expression.

use uphold_model::{Name, Value};

use super::contents::PathStep;
use crate::tree::{Gathered, Loop, Node, NodeId, Tree};

/// Collects paths.
pub(super) struct Uses<'a> {
    tree: &'a Tree,
    /// Variables of the loops around.
    variables: Vec<&'a Name>,
    found: &'a mut Vec<Vec<PathStep>>,
}

impl<'a> Uses<'a> {
    pub(super) fn new(tree: &'a Tree, found: &'a mut Vec<Vec<PathStep>>) -> Self {
        Self { tree, variables: Vec::new(), found }
    }

    /// All paths in and below a node. The depth of trees is limited by the parser.
    pub(super) fn node(&mut self, id: NodeId) {
        match self.tree.node(id) {
            Node::Known(_) | Node::Element => {}
            Node::Name(_) | Node::Field { .. } | Node::Index { .. } => self.path(id),
            Node::Not(of) | Node::Negative(of) => self.node(*of),
            Node::Splat { of, each } | Node::Binary { left: of, right: each, .. } => self.all([*of, *each]),
            Node::Conditional { condition, yes, no } => self.all([*condition, *yes, *no]),
            Node::Call(number) => self.all(self.tree.children(self.tree.call(*number).arguments).to_vec()),
            Node::For(number) => self.loop_(self.tree.loop_(*number)),
            Node::Template(slice) | Node::List(slice) | Node::Object(slice) => {
                self.all(self.tree.children(*slice).to_vec());
            }
        }
    }

    fn all(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        nodes.into_iter().for_each(|node| self.node(node));
    }

    fn loop_(&mut self, each: &'a Loop) {
        self.node(each.collection);
        let outside = self.variables.len();
        self.variables.extend(each.key.iter().chain([&each.value]).map(|variable| &variable.name));
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
                    *of
                }
                Node::Index { of, index } => {
                    steps.push(self.index(*index));
                    *of
                }
                _ => break,
            };
        }
        let Node::Name(root) = self.tree.node(at) else { return self.node(at) };
        if !self.variables.contains(&root) {
            let range = self.tree.span(at).range();
            steps.push(PathStep { name: Some(root.clone()), range, index: false });
            steps.reverse();
            self.found.push(steps);
        }
    }

    /// The span of a field is that of the whole path up to it.
    fn field(&self, at: NodeId, name: &Name) -> PathStep {
        let end = self.tree.span(at).range().end;
        PathStep { name: Some(name.clone()), range: end.saturating_sub(name.len())..end, index: false }
    }

    fn index(&mut self, index: NodeId) -> PathStep {
        let name = match self.tree.node(index) {
            Node::Known(Value::Text(text)) => Some(text.clone()),
            Node::Known(Value::Int(number)) => Some(number.to_string().into()),
            _ => {
                self.node(index);
                None
            }
        };
        PathStep { name, range: self.tree.span(index).range(), index: true }
    }
}
