//! Items: the lines and blocks of a body, as they are read from a tree.

use std::iter::StepBy;
use std::ops::Range;

use super::node::NodeId;
use crate::token::Span;

/// A line or a block of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'t> {
    /// The attribute's name or the block's kind.
    pub(crate) key: &'t str,
    /// Where the name stands.
    pub(crate) name: Span,
    /// Where the value stands: the expression, or the block from `{` to `}`.
    pub(crate) value: Span,
    pub(crate) content: Content,
}

/// What an item is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    Expression(NodeId),
    Block {
        labels: Labels,
        items: Items,
    },
    /// An attribute whose value could not be read. That was reported.
    Broken,
}

/// The labels of a block: a list of nodes that are texts or names.
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

/// The items of a body, side by side in their tree.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Items {
    pub(super) start: u32,
    pub(super) count: u32,
}

impl Items {
    /// The words of an item.
    pub(super) const WORDS: u32 = 5;

    pub(crate) fn len(self) -> usize {
        self.count as usize
    }

    /// Their numbers in the tree.
    pub(crate) fn ids(self) -> StepBy<Range<u32>> {
        (self.start..self.start + self.count * Self::WORDS).step_by(Self::WORDS as usize)
    }
}

/// The second word of an item: what it is, and how long its name is, which is less than 2^30 bytes.
#[derive(Clone, Copy)]
pub(super) struct ItemHead(pub(super) u32);

impl ItemHead {
    pub(super) fn new(sort: ItemSort, length: u32) -> Self {
        Self(length << 2 | sort as u32)
    }

    pub(super) fn sort(self) -> ItemSort {
        ItemSort::ALL[(self.0 & 3) as usize]
    }

    pub(super) fn length(self) -> u32 {
        self.0 >> 2
    }
}

/// What the last word of an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemSort {
    /// The expression.
    Expression,
    /// Where the labels and the items of the block are told.
    Block,
    /// Nothing.
    Broken,
}

impl ItemSort {
    /// In the order of their numbers.
    pub(super) const ALL: [ItemSort; 3] = [ItemSort::Expression, ItemSort::Block, ItemSort::Broken];
}
