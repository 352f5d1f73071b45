//! Read access to a tree, together with its source text.

use std::path::Path;
use std::sync::Arc;

use uphold_model::Place;

use super::builder::Tree;
use super::head::{Head, NodeKind};
use super::item::{Content, Item, ItemHead, ItemKind, Items, Label, Labels};
use super::node::{Call, Children, Gathered, Literal, Loop, Node, NodeId};
use crate::source_code::SourceCode;
use crate::token::Span;

/// A tree and its source. Cheap to copy; nodes are decoded when they are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeView<'t> {
    code: &'t Arc<SourceCode>,
    text: &'t str,
    words: &'t [u32],
    kept: &'t str,
}

impl<'t> TreeView<'t> {
    /// `tree` must be parsed from the text of `code`.
    pub(crate) fn new(code: &'t Arc<SourceCode>, tree: &'t Tree) -> Self {
        Self { code, text: &code.text, words: &tree.words, kept: &tree.kept }
    }

    /// The source.
    pub(crate) fn code(&self) -> &'t Arc<SourceCode> {
        self.code
    }

    /// The directory of the source; relative paths start here.
    pub(crate) fn directory(&self) -> &'t Path {
        &self.code.directory
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        self.code.place(span)
    }

    /// The place of an expression.
    pub(crate) fn place_of(&self, node: NodeId) -> Place {
        self.place(self.span(node))
    }

    pub(crate) fn span(&self, id: NodeId) -> Span {
        self.head(id).1
    }

    fn head(&self, id: NodeId) -> (Head, Span) {
        let [head, start] = *self.words_at(id.0);
        let head = Head(head);
        let end = head.length().map_or_else(|| self.words[id.0 as usize + 2], |length| start + length);
        (head, Span { start, end })
    }

    /// Decodes an expression, but not its children.
    // Inlined, because most callers need one sort only, and the rest is then optimised away. Not in debug builds, where
    // all of it would be in every stack frame.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn node(&self, id: NodeId) -> Node<'t> {
        let (head, span) = self.head(id);
        let Span { start, end } = span;
        // The words after the head and the span.
        let more = id.0 + head.words();
        match head.sort() {
            NodeKind::Null => Node::Known(Literal::Null),
            NodeKind::False => Node::Known(Literal::Bool(false)),
            NodeKind::True => Node::Known(Literal::Bool(true)),
            NodeKind::Small => Node::Known(Literal::Int(i64::from(self.words_at::<1>(more)[0]))),
            NodeKind::Int => Node::Known(Literal::Int(self.bits(more).cast_signed())),
            NodeKind::Float => Node::Known(Literal::Float(f64::from_bits(self.bits(more)))),
            NodeKind::Plain => Node::Known(Literal::Text(self.written(span))),
            NodeKind::Quoted => {
                Node::Known(Literal::Text(self.written(Span { start: start + 1, end: end - 1 })))
            }
            NodeKind::Kept => {
                let [from, to] = *self.words_at(more);
                Node::Known(Literal::Text(&self.kept[from as usize..to as usize]))
            }
            NodeKind::Name => Node::Name(self.written(span)),
            NodeKind::Field => {
                let [of] = self.nodes(more);
                Node::Field { of, name: self.written(Span { start: end - u32::from(head.detail()), end }) }
            }
            NodeKind::LongField => {
                let [of, start] = *self.words_at(more);
                Node::Field { of: NodeId(of), name: self.written(Span { start, end }) }
            }
            NodeKind::Index => {
                let [of, index] = self.nodes(more);
                Node::Index { of, index }
            }
            NodeKind::Splat => {
                let [of, each] = self.nodes(more);
                Node::Splat { of, each }
            }
            NodeKind::Element => Node::Element,
            NodeKind::Not => Node::Not(self.nodes::<1>(more)[0]),
            NodeKind::Negative => Node::Negative(self.nodes::<1>(more)[0]),
            NodeKind::Binary => {
                let [left, right] = self.nodes(more);
                Node::Binary { operator: head.operator(), left, right }
            }
            NodeKind::Conditional => {
                let [condition, yes, no] = self.nodes(more);
                Node::Conditional { condition, yes, no }
            }
            NodeKind::Call => Node::Call(self.call(more, head, start)),
            NodeKind::For => Node::For(id),
            NodeKind::Template => Node::Template(self.children(more)),
            NodeKind::List => Node::List(self.children(more)),
            NodeKind::Object => Node::Object(self.children(more)),
        }
    }

    fn call(&self, at: u32, head: Head, start: u32) -> Call<'t> {
        let [end] = *self.words_at(at);
        let function_span = Span { start, end };
        let function = self.written(function_span);
        Call { function, function_span, arguments: self.children(at + 1), spread: head.detail() == 1 }
    }

    /// Decodes the loop of a `Node::For`.
    pub(crate) fn loop_(&self, id: NodeId) -> Loop {
        let (head, _) = self.head(id);
        let [key_start, key_end, start, end, collection, first, second, condition] =
            *self.words_at(id.0 + head.words());
        let key = Span { start: key_start, end: key_end };
        let result = match head.detail() {
            0 => Gathered::List(NodeId(first)),
            1 => Gathered::Object { key: NodeId(first), value: NodeId(second) },
            2 => Gathered::Grouped { key: NodeId(first), value: NodeId(second) },
            _ => Gathered::Text(NodeId(first)),
        };
        Loop {
            key: Some(key).filter(|key| key.start < key.end),
            value: Span { start, end },
            collection: NodeId(collection),
            result,
            condition: Some(NodeId(condition)).filter(|node| *node != id),
        }
    }

    pub(crate) fn item(&self, id: u32) -> Item<'t> {
        let [name, head, start, end, link] = *self.words_at(id);
        let head = ItemHead(head);
        let name = Span { start: name, end: name + head.length() };
        let content = match head.sort() {
            ItemKind::Expression => Content::Expression(NodeId(link)),
            ItemKind::Broken => Content::Broken,
            ItemKind::Block => {
                let [labels, label_count, start, count] = *self.words_at(link);
                let labels = Labels { start: labels, count: label_count };
                Content::Block { labels, items: Items { start, count } }
            }
        };
        Item { key: self.written(name), name, value: Span { start, end }, content }
    }

    /// The name of an item.
    pub(crate) fn key(&self, item: u32) -> &'t str {
        let [start, head] = *self.words_at(item);
        self.written(Span { start, end: start + ItemHead(head).length() })
    }

    pub(crate) fn items(self, items: Items) -> impl Iterator<Item = Item<'t>> {
        items.ids().map(move |id| self.item(id))
    }

    pub(crate) fn labels(self, labels: Labels) -> impl ExactSizeIterator<Item = Label<'t>> {
        let range = labels.start as usize..(labels.start + labels.count) as usize;
        Children(&self.words[range]).iter().map(move |id| {
            let (Node::Known(Literal::Text(text)) | Node::Name(text)) = self.node(id) else {
                unreachable!("a label is a text or a name")
            };
            Label { text, span: self.span(id) }
        })
    }

    /// The source text at this span.
    pub(crate) fn written(&self, span: Span) -> &'t str {
        &self.text[span.range()]
    }

    fn bits(&self, at: u32) -> u64 {
        let [low, high] = *self.words_at(at);
        u64::from(high) << 32 | u64::from(low)
    }

    fn nodes<const N: usize>(&self, at: u32) -> [NodeId; N] {
        self.words_at(at).map(NodeId)
    }

    /// The list whose length is stored here.
    fn children(&self, at: u32) -> Children<'t> {
        let [count] = *self.words_at(at);
        let start = at as usize + 1;
        Children(&self.words[start..start + count as usize])
    }

    fn words_at<const N: usize>(&self, at: u32) -> &'t [u32; N] {
        self.words[at as usize..].first_chunk().expect("a tree is whole")
    }
}
