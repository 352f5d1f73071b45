//! Blocks of a module that become statements.

use std::sync::{Arc, Mutex, PoisonError};

use uphold_model::{Place, ResourceId};

use super::definition::Module;
use crate::body::{Entries, Entry};
use crate::meta::Argument;
use crate::source_code::SourceCode;
use crate::tree::{Items, Passage, Tree};

/// A block, as far as it can be understood without evaluating anything.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) what: What,
    /// Kind and name, outside of all modules. In an edit or a trigger, the key says which resource of a `for_each` is
    /// meant; all of them unless set.
    pub(crate) id: ResourceId,
    /// The number of its source in the module.
    pub(crate) code: u32,
    /// Kind and label.
    pub(crate) head: Place,
    pub(crate) body: Body,
    /// Meta arguments and their items.
    pub(crate) arguments: Box<[(Argument, u32)]>,
}

/// What stands in a block. Its tree is let go when nobody is likely to need it, and made again for whoever does.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) items: Items,
    /// Whether no name stands twice in it.
    plain: bool,
    tree: Mutex<Option<Arc<Tree>>>,
    /// Where the item that holds the block begins in its source.
    start: u32,
}

impl Body {
    /// The body with these items and as many entries, in a tree of this source.
    pub(super) fn new(items: Items, entries: usize, tree: &Arc<Tree>, code: Passage<'_>) -> Self {
        let start = code.items(tree.root).next().map_or(0, |item| item.name.start);
        Self { items, plain: entries == items.len(), tree: Mutex::new(Some(tree.clone())), start }
    }

    fn entries(&self, code: Passage<'_>) -> Entries {
        match self.plain {
            true => Entries::Plain(self.items.ids()),
            false => Entries::Listed(Entry::all(code, self.items).into_iter()),
        }
    }

    /// The tree that it is in, made of this source.
    pub(crate) fn tree(&self, code: &SourceCode) -> Arc<Tree> {
        let kept = self.tree.lock().unwrap_or_else(PoisonError::into_inner).clone();
        kept.unwrap_or_else(|| Arc::new(code.parse_again(&[self.start])))
    }

    /// Lets the tree go.
    pub(crate) fn release(&self) {
        *self.tree.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// What a block is.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// Declared and triggered.
    Resource,
    /// Declared only.
    Declare,
    Edit,
    Trigger,
    /// The call of a module; none if it could not be loaded, which was reported.
    Call(Option<Arc<Module>>),
}

impl Block {
    /// What it sets: properties, or params of a module. Found anew each time, which is cheaper than to keep it.
    pub(crate) fn entries<'b>(&'b self, code: Passage<'b>) -> impl Iterator<Item = Entry> + 'b {
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

    /// Whether others can refer to it by kind and name.
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
    fn a_tree_that_was_let_go_comes_back() {
        let mut sources = Sources::default();
        let id = sources.add("a.hcl", "locals {\n  a = 1\n}\nfile x {\n  mode = \"a\\n${local.a}\"\n}\n");
        let code = Arc::new(SourceCode::of(&sources, id, PathBuf::new()));
        let mut trees = Vec::new();
        Parser::new(&code.text, id).parse(|tree| trees.push(tree));
        let tree = &trees[1];
        let passage = Passage::new(&code, tree);
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
