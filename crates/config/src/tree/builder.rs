//! Building trees, and their storage.

use super::head::{Head, NodeKind};
use super::item::{Content, Item, ItemHead, ItemKind, Items, Labels};
use super::node::{Gathered, Loop, NodeId, Operator};
use crate::token::Span;

/// A tree under construction. After a cut it starts anew and keeps its buffers, so that parsing allocates memory only
/// for finished trees.
#[derive(Debug, Default)]
pub(crate) struct TreeBuilder {
    words: Vec<u32>,
    kept: String,
}

impl TreeBuilder {
    /// The tree that was built since the last cut.
    pub(crate) fn cut(&mut self, root: Items) -> Tree {
        let tree = Tree { words: self.words.as_slice().into(), kept: self.kept.as_str().into(), root };
        self.words.clear();
        self.kept.clear();
        tree
    }

    pub(crate) fn sort(&self, id: NodeId) -> NodeKind {
        self.head(id).sort()
    }

    /// The depth of an expression.
    pub(crate) fn depth(&self, id: NodeId) -> u8 {
        self.head(id).depth()
    }

    pub(crate) fn span(&self, id: NodeId) -> Span {
        let (head, at) = (self.head(id), id.0 as usize);
        let start = self.words[at + 1];
        Span { start, end: head.length().map_or_else(|| self.words[at + 2], |length| start + length) }
    }

    /// The operand of a member.
    pub(crate) fn whole(&self, id: NodeId) -> Option<NodeId> {
        let is_member = matches!(
            self.sort(id),
            NodeKind::Field | NodeKind::LongField | NodeKind::Index | NodeKind::Splat
        );
        is_member.then(|| NodeId(self.words[(id.0 + self.head(id).words()) as usize]))
    }

    pub(crate) fn operator(&self, id: NodeId) -> Option<Operator> {
        (self.sort(id) == NodeKind::Binary).then(|| self.head(id).operator())
    }

    fn head(&self, id: NodeId) -> Head {
        Head(self.words[id.0 as usize])
    }

    /// Adds an expression without children and without a value.
    pub(crate) fn add_leaf(&mut self, sort: NodeKind, span: Span) -> NodeId {
        self.add(Head::new(sort, 1, 0), span, [])
    }

    pub(crate) fn add_int(&mut self, value: i64, span: Span) -> NodeId {
        match u32::try_from(value) {
            Ok(small) => self.add(Head::new(NodeKind::Small, 1, 0), span, [small]),
            Err(_) => self.add_bits(NodeKind::Int, value.cast_unsigned(), span),
        }
    }

    pub(crate) fn add_float(&mut self, value: f64, span: Span) -> NodeId {
        self.add_bits(NodeKind::Float, value.to_bits(), span)
    }

    fn add_bits(&mut self, sort: NodeKind, bits: u64, span: Span) -> NodeId {
        self.add(Head::new(sort, 1, 0), span, [bits as u32, (bits >> 32) as u32])
    }

    /// Adds a string that differs from the source text at its span.
    pub(crate) fn add_kept(&mut self, text: &str, span: Span) -> NodeId {
        let start = self.kept.len() as u32;
        self.kept.push_str(text);
        self.add(Head::new(NodeKind::Kept, 1, 0), span, [start, self.kept.len() as u32])
    }

    /// Adds an expression with these children.
    pub(crate) fn add_parent<const N: usize>(
        &mut self,
        (sort, depth): (NodeKind, u8),
        parts: [NodeId; N],
        span: Span,
    ) -> NodeId {
        self.add(Head::new(sort, depth, 0), span, parts.map(|part| part.0))
    }

    /// Adds `of.name`; the name starts at `name` and ends with the span.
    pub(crate) fn add_field(&mut self, depth: u8, of: NodeId, name: u32, span: Span) -> NodeId {
        match u8::try_from(span.end - name) {
            Ok(length) => self.add(Head::new(NodeKind::Field, depth, length), span, [of.0]),
            Err(_) => self.add(Head::new(NodeKind::LongField, depth, 0), span, [of.0, name]),
        }
    }

    pub(crate) fn add_binary(
        &mut self,
        (operator, depth): (Operator, u8),
        left: NodeId,
        right: NodeId,
        span: Span,
    ) -> NodeId {
        self.add(Head::new(NodeKind::Binary, depth, operator as u8), span, [left.0, right.0])
    }

    /// Adds a template, a list or an object.
    pub(crate) fn add_list(&mut self, (sort, depth): (NodeKind, u8), parts: &[NodeId], span: Span) -> NodeId {
        let id = self.add(Head::new(sort, depth, 0), span, [parts.len() as u32]);
        self.words.extend(parts.iter().map(|part| part.0));
        id
    }

    /// Adds a function call; the function's name starts with the span and ends at `name_end`.
    pub(crate) fn add_call(
        &mut self,
        (name_end, spread, depth): (u32, bool, u8),
        arguments: &[NodeId],
        span: Span,
    ) -> NodeId {
        let head = Head::new(NodeKind::Call, depth, u8::from(spread));
        let id = self.add(head, span, [name_end, arguments.len() as u32]);
        self.words.extend(arguments.iter().map(|argument| argument.0));
        id
    }

    /// Adds a loop: the spans of key and value, the collection, one or two results, and the condition. A missing key is
    /// an empty span; a missing node is the loop itself.
    pub(crate) fn add_loop(&mut self, each: &Loop, depth: u8, span: Span) -> NodeId {
        let none = self.words.len() as u32;
        let (detail, first, second) = match each.result {
            Gathered::List(node) => (0, node.0, none),
            Gathered::Object { key, value } => (1, key.0, value.0),
            Gathered::Grouped { key, value } => (2, key.0, value.0),
            Gathered::Text(node) => (3, node.0, none),
        };
        let (key, value) = (each.key.unwrap_or(Span::new(0, 0)), each.value);
        let condition = each.condition.map_or(none, |condition| condition.0);
        let words = [key.start, key.end, value.start, value.end, each.collection.0, first, second, condition];
        self.add(Head::new(NodeKind::For, depth, detail), span, words)
    }

    fn add<const N: usize>(&mut self, head: Head, span: Span, more: [u32; N]) -> NodeId {
        let id = NodeId(self.words.len() as u32);
        let head = head.at(span);
        self.words.extend_from_slice(&[head.0, span.start]);
        if head.length().is_none() {
            self.words.push(span.end);
        }
        self.words.extend_from_slice(&more);
        id
    }

    /// Adds the labels of a block.
    pub(crate) fn add_labels(&mut self, labels: &[NodeId]) -> Labels {
        let start = self.words.len() as u32;
        self.words.extend(labels.iter().map(|label| label.0));
        Labels { start, count: labels.len() as u32 }
    }

    /// Adds the items of a body.
    pub(crate) fn add_items(&mut self, items: &[Item<'_>]) -> Items {
        let blocks = self.words.len() as u32;
        for item in items {
            if let Content::Block { labels, items } = item.content {
                self.words.extend_from_slice(&[labels.start, labels.count, items.start, items.count]);
            }
        }
        let start = self.words.len() as u32;
        let mut block = blocks;
        for item in items {
            let (sort, link) = match item.content {
                Content::Expression(node) => (ItemKind::Expression, node.0),
                Content::Broken => (ItemKind::Broken, 0),
                Content::Block { .. } => {
                    block += 4;
                    (ItemKind::Block, block - 4)
                }
            };
            let Item { name, value, .. } = item;
            let length = ItemHead::new(sort, name.end - name.start).0;
            self.words.extend_from_slice(&[name.start, length, value.start, value.end, link]);
        }
        Items { start, count: items.len() as u32 }
    }
}

/// Parsed items of a source: mostly one top-level item with everything in it.
///
/// It is a list of words that refer to each other by index: a tree takes two allocations and two to three bytes for
/// each byte of its text, and costs almost nothing to free. Names and most strings are not copied, but read from the
/// source. [`super::TreeView`] decodes it together with its text.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(super) words: Box<[u32]>,
    /// Strings that differ from the source: with escapes replaced, or without the indentation of a heredoc.
    pub(super) kept: Box<str>,
    /// The top-level items.
    pub(crate) root: Items,
}
