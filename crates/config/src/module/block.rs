//! Blocks of a module that become statements.

use std::sync::{Arc, Mutex, PoisonError};

use uphold_model::{Place, ResourceId};

use super::definition::Module;
use super::literals::LiteralRange;
use crate::body::{Entries, Entry};
use crate::meta::Argument;
use crate::source_code::SourceCode;
use crate::tree::{Items, Tree, TreeView};

/// A block before evaluation.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) what: What,
    /// Kind and name, without the module. In an edit or a trigger, the key selects a resource of a `for_each`; without
    /// it, all are meant.
    pub(crate) id: ResourceId,
    /// The number of its source in the module.
    pub(crate) code: u32,
    /// The place of kind and label.
    pub(crate) head: Place,
    pub(crate) body: Body,
    /// Its attributes, if all of them are literals. Then its tree is not needed.
    pub(crate) literals: Option<LiteralRange>,
    /// Meta arguments and their items.
    pub(crate) arguments: Box<[(Argument, u32)]>,
}

/// The content of a block. Its tree is freed when it is unlikely to be needed again, and parsed again if it is.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) items: Items,
    /// Whether all names in it differ.
    plain: bool,
    tree: Mutex<Option<Arc<Tree>>>,
    /// The start of the top-level item that contains the block.
    start: u32,
}

impl Body {
    /// A body with these items and this number of entries, in a tree of this source.
    pub(super) fn new(items: Items, entries: usize, tree: &Arc<Tree>, code: TreeView<'_>) -> Self {
        let start = code.items(tree.root).next().map_or(0, |item| item.name.start);
        Self { items, plain: entries == items.len(), tree: Mutex::new(Some(tree.clone())), start }
    }

    /// A body whose tree is parsed when it is needed, of a block that starts at this byte.
    pub(super) fn unread(start: u32) -> Self {
        Self { items: Items::default(), plain: true, tree: Mutex::default(), start }
    }

    fn entries(&self, code: TreeView<'_>) -> Entries {
        if self.plain {
            Entries::Plain(self.items.ids())
        } else {
            Entries::Listed(Entry::all(code, self.items).into_iter())
        }
    }

    /// The tree that contains it, parsed again from the source if it was freed.
    pub(crate) fn tree(&self, code: &SourceCode) -> Arc<Tree> {
        let kept = self.tree.lock().unwrap_or_else(PoisonError::into_inner).clone();
        kept.unwrap_or_else(|| Arc::new(code.parse_again(&[self.start])))
    }

    /// Frees the tree.
    pub(crate) fn release(&self) {
        *self.tree.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The kind of a block.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// Declared and triggered.
    Resource,
    /// Declared only.
    Declare,
    Edit,
    Trigger,
    /// A module call; none if the module could not be loaded, which was reported.
    Call(Option<Arc<Module>>),
}

impl Block {
    /// Its properties, or the params of a module. Recomputed each time, which is cheaper than keeping them.
    pub(crate) fn entries<'b>(&'b self, code: TreeView<'b>) -> impl Iterator<Item = Entry> + 'b {
        let is_source = move |entry: &Entry| {
            matches!(self.what, What::Call(_)) && &*self.id.kind == "module" && entry.name(code) == "source"
        };
        let is_argument = |entry: &Entry| self.arguments.iter().any(|(_, item)| *item == entry.first);
        self.body.entries(code).filter(move |entry| !is_argument(entry) && !is_source(entry))
    }

    /// The item of a meta argument.
    pub(crate) fn argument(&self, wanted: Argument) -> Option<u32> {
        self.arguments.iter().find(|(argument, _)| *argument == wanted).map(|(_, item)| *item)
    }

    /// Whether other blocks can refer to it by kind and name.
    pub(crate) fn is_referable(&self) -> bool {
        matches!(self.what, What::Resource | What::Declare | What::Call(_))
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use uphold_model::Sources;

    use super::*;
    use crate::parser::Parser;
    use crate::tree::Content;

    #[test]
    fn a_released_tree_is_parsed_again() {
        let mut sources = Sources::default();
        let id = sources.add("a.hcl", "locals {\n  a = 1\n}\nfile x {\n  mode = \"a\\n${local.a}\"\n}\n");
        let code = Arc::new(SourceCode::of(&sources, id, PathBuf::new()));
        let mut trees = Vec::new();
        Parser::new(&code.text, id).parse(|tree| trees.push(tree));
        let tree = &trees[1];
        let passage = TreeView::new(&code, tree);
        let content = passage.items(tree.root).next().map(|item| item.content);
        let Some(Content::Block { items, .. }) = content else { panic!("not a block: {content:?}") };
        let body = Body::new(items, items.len(), tree, passage);
        assert!(Arc::ptr_eq(&body.tree(&code), tree));
        body.release();
        let again = body.tree(&code);
        assert!(!Arc::ptr_eq(&again, tree));
        assert_eq!(format!("{again:?}"), format!("{tree:?}"));
    }
}
