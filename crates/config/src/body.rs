//! Bodies: what a block says, by name.

use rustc_hash::FxHashMap;
use uphold_model::{Diagnostic, Name};

use crate::excerpt::excerpt;
use crate::tree::{Content, Item, Slice, Tree};

/// What stands under one name in a body: an attribute, or all blocks of that name.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: Name,
    /// The first item.
    pub(crate) first: u32,
    /// Further blocks of the same name.
    pub(crate) more: Vec<u32>,
}

impl Entry {
    /// The entries of a body, in written order of their first items. An attribute that is set twice counts once.
    pub(crate) fn all(tree: &Tree, items: Slice) -> Vec<Entry> {
        Self::collect(tree, items, &mut |_, _| {})
    }

    /// The same, and reports what is set twice.
    pub(crate) fn checked(tree: &Tree, items: Slice, problems: &mut Vec<Diagnostic>) -> Vec<Entry> {
        Self::collect(tree, items, &mut |first, second| problems.push(duplicate(tree, first, second)))
    }

    fn collect(tree: &Tree, items: Slice, twice: &mut dyn FnMut(&Item, &Item)) -> Vec<Entry> {
        /// Up to here, looking through all is faster than an index.
        const FEW: usize = 16;
        let few = items.range().len() <= FEW;
        let mut entries: Vec<Entry> = Vec::with_capacity(items.range().len().min(64));
        let mut index: FxHashMap<&str, usize> = FxHashMap::default();
        for id in items.range() {
            let item = tree.item(id);
            let known = match few {
                true => entries.iter().position(|entry| entry.name == item.key),
                false => index.get(&*item.key).copied(),
            };
            match known {
                None => {
                    if !few {
                        index.insert(&item.key, entries.len());
                    }
                    entries.push(Entry { name: item.key.clone(), first: id as u32, more: Vec::new() });
                }
                Some(at) if is_block(item) && is_block(tree.item(entries[at].first as usize)) => {
                    entries[at].more.push(id as u32);
                }
                Some(at) => twice(tree.item(entries[at].first as usize), item),
            }
        }
        entries
    }

    /// Its items.
    pub(crate) fn items(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.first).chain(self.more.iter().copied()).map(|id| id as usize)
    }

    /// Its last item.
    pub(crate) fn last(&self) -> usize {
        self.more.last().copied().unwrap_or(self.first) as usize
    }
}

pub(crate) fn is_block(item: &Item) -> bool {
    matches!(item.content, Content::Block { .. })
}

fn duplicate(tree: &Tree, first: &Item, second: &Item) -> Diagnostic {
    let detail = format!("{} is set twice in one block", excerpt(&second.key));
    Diagnostic::error("duplicate attribute", detail)
        .at(second.name.place(tree.source))
        .and_at(first.name.place(tree.source), "set here first")
        .fix("remove one of them")
}
