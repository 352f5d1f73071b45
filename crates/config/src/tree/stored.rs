//! Storage of trees.

use super::item::Items;

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
