//! How deep expressions go. Whatever walks a tree calls itself once a level, so that this bounds its stack.

use uphold_model::Value;

use super::cursor::{Parsed, Parser};
use crate::token::Span;
use crate::tree::{Call, Gathered, Loop, Node, NodeId, Slice};

/// How many nodes may stand above one another. A chain of operators or members is a level for each.
pub(super) const DEEPEST_TREE: u8 = 128;

impl Parser<'_, '_> {
    /// A node without children.
    pub(super) fn leaf(&mut self, node: Node, span: Span) -> NodeId {
        self.depths.push(1);
        self.tree.add(node, span)
    }

    /// A text that is written out.
    pub(super) fn text_leaf(&mut self, text: &str, span: Span) -> NodeId {
        let text = self.names.text(text);
        self.leaf(Node::Known(Value::Text(text)), span)
    }

    /// A node with children, unless its tree would be too deep.
    pub(super) fn parent(&mut self, node: Node, span: Span) -> Parsed<NodeId> {
        let deepest = match &node {
            Node::Known(_) | Node::Name(_) | Node::Element | Node::Call(_) | Node::For(_) => 0,
            Node::Field { of, .. } | Node::Not(of) | Node::Negative(of) => self.depth(*of),
            Node::Index { of: a, index: b } | Node::Splat { of: a, each: b } => self.deepest(&[*a, *b]),
            Node::Binary { left, right, .. } => self.deepest(&[*left, *right]),
            Node::Conditional { condition, yes, no } => self.deepest(&[*condition, *yes, *no]),
            Node::Template(children) | Node::List(children) | Node::Object(children) => {
                self.deepest_of(*children)
            }
        };
        self.deeper_than(deepest)?;
        Ok(self.tree.add(node, span))
    }

    pub(super) fn call_node(&mut self, call: Call, span: Span) -> Parsed<NodeId> {
        self.deeper_than(self.deepest_of(call.arguments))?;
        Ok(self.tree.add_call(call, span))
    }

    pub(super) fn loop_node(&mut self, each: Loop, span: Span) -> Parsed<NodeId> {
        let result = match each.result {
            Gathered::List(node) | Gathered::Text(node) => self.depth(node),
            Gathered::Object { key, value } | Gathered::Grouped { key, value } => self.deepest(&[key, value]),
        };
        let condition = each.condition.map_or(0, |node| self.depth(node));
        self.deeper_than(result.max(condition).max(self.depth(each.collection)))?;
        Ok(self.tree.add_loop(each, span))
    }

    fn depth(&self, node: NodeId) -> u8 {
        self.depths[node.index()]
    }

    fn deepest(&self, nodes: &[NodeId]) -> u8 {
        nodes.iter().map(|node| self.depth(*node)).max().unwrap_or_default()
    }

    fn deepest_of(&self, children: Slice) -> u8 {
        self.deepest(self.tree.children(children))
    }

    /// Notes the depth of the node that comes next.
    fn deeper_than(&mut self, deepest: u8) -> Parsed<()> {
        if deepest >= DEEPEST_TREE {
            return self.too_deep(self.previous);
        }
        self.depths.push(deepest + 1);
        Ok(())
    }

    pub(super) fn too_deep<T>(&mut self, span: Span) -> Parsed<T> {
        let detail = format!("more than {DEEPEST_TREE} operators, members and values inside one another");
        let error = self.error("nested too deeply", detail, span);
        self.fail(error.fix("split it into several values"))
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::print::printed;

    /// As deep as can be is fine; deeper is one problem, however deep.
    #[test]
    fn depths() {
        let check = |deepest: usize, text: &dyn Fn(usize) -> String| {
            let fine = printed(&text(deepest));
            assert!(!fine.starts_with('!'), "{fine}");
            for depth in [deepest + 1, 50_000] {
                assert_eq!(printed(&text(depth)), "! nested too deeply", "{:.20}… × {depth}", text(3));
            }
        };
        check(127, &|n| format!("{}a", "!".repeat(n)));
        check(127, &|n| format!("{}a", "- ".repeat(n)));
        check(127, &|n| format!("a{}", " + a".repeat(n)));
        check(127, &|n| format!("a{}", ".b".repeat(n)));
        check(127, &|n| format!("a{}", "[0]".repeat(n)));
        check(127, &|n| format!("a{}", "[*]".repeat(n)));
        check(127, &|n| format!("{}a", "a ? b : ".repeat(n)));
        check(127, &|n| format!("{}a{}", "a ? ".repeat(n), " : b".repeat(n)));
        check(127, &|n| format!("\"{}a{}\"", "%{ if a }".repeat(n), "%{ endif }".repeat(n)));
        check(127, &|n| format!("\"{}a{}\"", "%{ for a in b }".repeat(n), "%{ endfor }".repeat(n)));
        check(64, &|n| format!("{}a{}", "f(".repeat(n), ")".repeat(n)));
        check(64, &|n| format!("{}a{}", "[for x in ".repeat(n), " : x]".repeat(n)));
    }

    /// All strengths at once, in brackets: the most that the parser calls itself.
    #[test]
    fn the_stack_is_large_enough() {
        let mut text = "a".to_owned();
        for _ in 0..60 {
            text = format!("(a ? b : c || d && e == f < g + h * !{text})");
        }
        assert_eq!(printed(&text), "! nested too deeply");
    }
}
