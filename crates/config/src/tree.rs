//! The tree: what the parser makes of one source, in flat lists with numbers for links.

use std::ops::Range;

use uphold_model::{Name, Reference, Value};

use crate::token::Span;

/// Number of a node in [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

/// A part of one of the tree's lists.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slice {
    start: u32,
    end: u32,
}

impl Slice {
    /// From `start` to `end`. Lists never outgrow the text, which fits into 32 bits.
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// An expression.
#[derive(Debug)]
pub(crate) enum Node {
    /// A literal.
    Known(Value),
    /// A word on its own, such as `remove`: only some meta arguments take it.
    Word,
    /// A number in the list of references.
    Reference(u32),
    /// Text with parts to be filled in.
    Template(Slice),
    List(Slice),
    /// Keys and values by turns.
    Object(Slice),
}

/// A line or a block of a body.
#[derive(Debug)]
pub(crate) struct Item {
    /// The attribute's name or the block's kind.
    pub(crate) key: Name,
    /// Where the name stands.
    pub(crate) name: Span,
    /// Where the value stands: the expression, or the block from `{` to `}`.
    pub(crate) value: Span,
    pub(crate) content: Content,
    /// The references in it.
    pub(crate) references: Slice,
    /// The words in it.
    pub(crate) words: Slice,
}

/// What an item is.
#[derive(Debug)]
pub(crate) enum Content {
    Expression(NodeId),
    Block {
        labels: Slice,
        items: Slice,
    },
    /// An attribute whose value could not be read. That was reported.
    Broken,
}

/// The label of a block.
#[derive(Debug)]
pub(crate) struct Label {
    pub(crate) text: Name,
    pub(crate) span: Span,
}

/// A word on its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub(crate) span: Span,
    /// It is all that stands in `${…}`.
    pub(crate) in_template: bool,
}

/// One source, parsed. Children of one parent stand side by side in their list.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    spans: Vec<Span>,
    children: Vec<NodeId>,
    items: Vec<Item>,
    labels: Vec<Label>,
    /// The items outside all blocks.
    pub(crate) root: Slice,
    /// In written order, so that those of one item stand side by side.
    pub(crate) references: Vec<Reference>,
    /// In written order.
    pub(crate) words: Vec<Word>,
}

impl Tree {
    pub(crate) fn add(&mut self, node: Node, span: Span) -> NodeId {
        self.nodes.push(node);
        self.spans.push(span);
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub(crate) fn add_reference(&mut self, reference: Reference, span: Span) -> NodeId {
        self.references.push(reference);
        self.add(Node::Reference(self.references.len() as u32 - 1), span)
    }

    pub(crate) fn add_children(&mut self, children: impl Iterator<Item = NodeId>) -> Slice {
        let start = self.children.len();
        self.children.extend(children);
        Slice::new(start, self.children.len())
    }

    pub(crate) fn add_items(&mut self, items: impl Iterator<Item = Item>) -> Slice {
        let start = self.items.len();
        self.items.extend(items);
        Slice::new(start, self.items.len())
    }

    pub(crate) fn add_label(&mut self, label: Label) {
        self.labels.push(label);
    }

    pub(crate) fn label_count(&self) -> usize {
        self.labels.len()
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn span(&self, id: NodeId) -> Span {
        self.spans[id.0 as usize]
    }

    pub(crate) fn children(&self, slice: Slice) -> &[NodeId] {
        &self.children[slice.range()]
    }

    pub(crate) fn items(&self, slice: Slice) -> &[Item] {
        &self.items[slice.range()]
    }

    pub(crate) fn item(&self, id: usize) -> &Item {
        &self.items[id]
    }

    pub(crate) fn labels(&self, slice: Slice) -> &[Label] {
        &self.labels[slice.range()]
    }

    /// The references inside these parts of the list.
    pub(crate) fn references_in(&self, slices: impl Iterator<Item = Slice>) -> Vec<Reference> {
        slices.flat_map(|slice| &self.references[slice.range()]).cloned().collect()
    }
}
