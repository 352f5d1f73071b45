//! Items: the attributes and blocks of a body, as they are read from a tree.

use std::iter::StepBy;
use std::ops::Range;

use super::node::NodeId;
use crate::token::Span;

/// An attribute or a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'t> {
    /// The attribute's name or the block's kind.
    pub(crate) key: &'t str,
    /// The span of the name.
    pub(crate) name: Span,
    /// The span of the expression, or of the block from `{` to `}`.
    pub(crate) value: Span,
    pub(crate) content: Content,
}

/// The content of an item.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    Expression(NodeId),
    Block {
        labels: Labels,
        items: Items,
    },
    /// An attribute with an invalid value, which was reported.
    Broken,
}

/// The labels of a block: a list of nodes that are strings or names.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Labels {
    pub(super) start: u32,
    pub(super) count: u32,
}

/// The label of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label<'t> {
    pub(crate) text: &'t str,
    pub(crate) span: Span,
}

/// The items of a body, which are contiguous in their tree.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Items {
    pub(super) start: u32,
    pub(super) count: u32,
}

impl Items {
    /// The number of words of an item.
    pub(super) const WORDS: u32 = 5;

    pub(crate) fn len(self) -> usize {
        self.count as usize
    }

    /// Their indexes in the tree.
    pub(crate) fn ids(self) -> StepBy<Range<u32>> {
        (self.start..self.start + self.count * Self::WORDS).step_by(Self::WORDS as usize)
    }
}

/// The second word of an item: its kind, and the length of its name, which is less than 2^30 bytes.
#[derive(Clone, Copy)]
pub(super) struct ItemHead(pub(super) u32);

impl ItemHead {
    pub(super) fn new(sort: ItemKind, length: u32) -> Self {
        Self(length << 2 | sort as u32)
    }

    pub(super) fn sort(self) -> ItemKind {
        ItemKind::ALL[(self.0 & 3) as usize]
    }

    pub(super) fn length(self) -> u32 {
        self.0 >> 2
    }
}

/// The kind of an item: the meaning of its last word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// The expression.
    Expression,
    /// The index of the block's labels and items.
    Block,
    /// Nothing.
    Broken,
}

impl ItemKind {
    /// In the order of their discriminants.
    pub(super) const ALL: [ItemKind; 3] = [ItemKind::Expression, ItemKind::Block, ItemKind::Broken];
}
