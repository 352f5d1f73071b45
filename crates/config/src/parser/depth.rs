//! The depth limit of expressions. Functions over trees are recursive, so the limit bounds their stack.

use uphold_model::Code;

use super::cursor::{Parsed, Parser};
use crate::token::Span;
use crate::tree::{Gathered, Loop, NodeId, NodeKind, Operator};

/// The maximum depth of nodes. In a chain of members, each is a level; a chain of operators is one level, since it is
/// walked along its left side without recursion.
pub(super) const DEEPEST_TREE: u8 = 128;

impl Parser<'_> {
    /// A node without children.
    pub(super) fn leaf(&mut self, sort: NodeKind, span: Span) -> NodeId {
        self.tree.add_leaf(sort, span)
    }

    /// A literal string. It is not copied if it occurs in the source as it is.
    pub(super) fn text_leaf(&mut self, text: &str, span: Span) -> NodeId {
        let written = self.word(span);
        if written == text {
            return self.leaf(NodeKind::Plain, span);
        }
        let quoted = written.len() == text.len() + 2 && written.get(1..=text.len()) == Some(text);
        if quoted { self.leaf(NodeKind::Quoted, span) } else { self.tree.add_kept(text, span) }
    }

    /// A node with these children, unless the tree would be too deep.
    pub(super) fn parent<const N: usize>(
        &mut self,
        sort: NodeKind,
        parts: [NodeId; N],
        span: Span,
    ) -> Parsed<NodeId> {
        let depth = self.depth_above(parts)?;
        Ok(self.tree.add_parent((sort, depth), parts, span))
    }

    pub(super) fn binary_node(
        &mut self,
        operator: Operator,
        left: NodeId,
        right: NodeId,
        span: Span,
    ) -> Parsed<NodeId> {
        let chained = u8::from(self.tree.operator(left).is_some());
        let deepest = (self.tree.depth(left) - chained).max(self.tree.depth(right));
        let depth = self.deeper_than(Some(deepest))?;
        Ok(self.tree.add_binary((operator, depth), left, right, span))
    }

    /// `of.name`, from `start` on.
    pub(super) fn field_node(&mut self, of: NodeId, start: Span, name: Span) -> Parsed<NodeId> {
        let depth = self.depth_above([of])?;
        Ok(self.tree.add_field(depth, of, name.start, start.to(name)))
    }

    /// A node whose children are the pending nodes from `base` on.
    pub(super) fn list_node(&mut self, sort: NodeKind, base: usize, span: Span) -> Parsed<NodeId> {
        let depth = self.depth_above_pending(base)?;
        let node = self.tree.add_list((sort, depth), &self.pending_nodes[base..], span);
        self.pending_nodes.truncate(base);
        Ok(node)
    }

    /// A call of the function `name` with the pending nodes from `base` on.
    pub(super) fn call_node(&mut self, name: Span, base: usize, spread: bool) -> Parsed<NodeId> {
        let depth = self.depth_above_pending(base)?;
        let span = name.to(self.previous);
        let node = self.tree.add_call((name.end, spread, depth), &self.pending_nodes[base..], span);
        self.pending_nodes.truncate(base);
        Ok(node)
    }

    pub(super) fn loop_node(&mut self, each: &Loop, span: Span) -> Parsed<NodeId> {
        let (first, second) = match each.result {
            Gathered::List(node) | Gathered::Text(node) => (node, None),
            Gathered::Object { key, value } | Gathered::Grouped { key, value } => (key, Some(value)),
        };
        let parts = [each.collection, first].into_iter().chain(second).chain(each.condition);
        let depth = self.depth_above(parts)?;
        Ok(self.tree.add_loop(each, depth, span))
    }

    fn depth_above_pending(&mut self, base: usize) -> Parsed<u8> {
        let deepest = self.pending_nodes[base..].iter().map(|node| self.tree.depth(*node)).max();
        self.deeper_than(deepest)
    }

    /// The depth of a node with these children.
    fn depth_above(&mut self, parts: impl IntoIterator<Item = NodeId>) -> Parsed<u8> {
        let deepest = parts.into_iter().map(|node| self.tree.depth(node)).max();
        self.deeper_than(deepest)
    }

    fn deeper_than(&mut self, deepest: Option<u8>) -> Parsed<u8> {
        match deepest.unwrap_or_default() {
            DEEPEST_TREE.. => self.too_deep(self.previous),
            deepest => Ok(deepest + 1),
        }
    }

    pub(super) fn too_deep<T>(&mut self, span: Span) -> Parsed<T> {
        let detail = format!("operators, members and values are nested more than {DEEPEST_TREE} levels deep");
        let error = self.error(Code::NestedTooDeeply, detail, span);
        self.fail(error.fix("split it into several values"))
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::print::printed;

    /// The maximum depth is valid; anything deeper is one problem.
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
        check(64, &|n| format!("{}a{}", "a + (".repeat(n), ")".repeat(n)));
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

    #[test]
    fn chains_are_flat() {
        let first = printed(&format!("a{}", " + a * b && c".repeat(200)));
        assert!(!first.starts_with('!'), "{first}");
    }

    /// Operators of all precedences, nested in brackets: the deepest recursion of the parser.
    #[test]
    fn the_stack_is_large_enough() {
        let mut text = "a".to_owned();
        for _ in 0..60 {
            text = format!("(a ? b : c || d && e == f < g + h * !{text})");
        }
        assert_eq!(printed(&text), "! nested too deeply");
    }
}
