//! A tree, as it is kept.

use super::item::Items;

/// Some items of a source, parsed: mostly one, outside all blocks, with all that is in it.
///
/// It is a list of words, and numbers in it are places of that list: a tree costs two allocations, two to three bytes
/// for each byte of its text, and next to nothing to free. Names and most texts are not in it: they are read where
/// they were written. What it says is told by [`super::Passage`], which knows the text.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(super) words: Box<[u32]>,
    /// Texts that stand in no source: with escapes replaced, or without the indent of a heredoc.
    pub(super) kept: Box<str>,
    /// The items that it was made for.
    pub(crate) root: Items,
}
