//! Bodies of blocks, by the names in them.

use std::iter::StepBy;
use std::ops::Range;

use rustc_hash::FxHashMap;
use uphold_model::{Code, Diagnostic};

use crate::excerpt::excerpt;
use crate::tree::{Content, Item, Items, TreeView};

/// The items of one name in a body: an attribute, or all blocks of that name.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The first item.
    pub(crate) first: u32,
    /// Further blocks of the same name.
    pub(crate) more: Vec<u32>,
}

/// The entries of one body.
pub(crate) enum Entries {
    /// All names differ: each item is an entry.
    Plain(StepBy<Range<u32>>),
    Listed(std::vec::IntoIter<Entry>),
}

impl Iterator for Entries {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        match self {
            Entries::Plain(ids) => ids.next().map(|first| Entry { first, more: Vec::new() }),
            Entries::Listed(entries) => entries.next(),
        }
    }
}

impl Entry {
    /// The entries of a body, in the order of their first items. An attribute that is set twice counts once.
    pub(crate) fn all(code: TreeView<'_>, items: Items) -> Vec<Entry> {
        Self::collect(code, items, &mut |_, _| {})
    }

    /// Like [`Entry::all`], but reports attributes that are set twice.
    pub(crate) fn checked(code: TreeView<'_>, items: Items, problems: &mut Vec<Diagnostic>) -> Vec<Entry> {
        Self::collect(code, items, &mut |first, second| problems.push(duplicate(code, &first, &second)))
    }

    fn collect(code: TreeView<'_>, items: Items, twice: &mut dyn FnMut(Item<'_>, Item<'_>)) -> Vec<Entry> {
        /// Up to this many items, a linear search is faster than an index.
        const FEW: usize = 16;
        let few = items.len() <= FEW;
        let mut entries: Vec<Entry> = Vec::with_capacity(items.len().min(64));
        let mut index: FxHashMap<&str, usize> = FxHashMap::default();
        let mut marks = 0;
        for id in items.ids() {
            let key = code.key(id);
            let new = marks & mark(key) == 0;
            marks |= mark(key);
            let known = match few {
                true if new => None,
                true => entries.iter().position(|entry| entry.name(code) == key),
                false => index.get(key).copied(),
            };
            let Some(at) = known else {
                if !few {
                    index.insert(key, entries.len());
                }
                entries.push(Entry { first: id, more: Vec::new() });
                continue;
            };
            let (first, item) = (code.item(entries[at].first), code.item(id));
            if is_block(&item) && is_block(&first) { entries[at].more.push(id) } else { twice(first, item) }
        }
        entries
    }

    /// Its name.
    pub(crate) fn name<'t>(&self, code: TreeView<'t>) -> &'t str {
        code.key(self.first)
    }

    /// Its items.
    pub(crate) fn items(&self) -> impl Iterator<Item = u32> {
        std::iter::once(self.first).chain(self.more.iter().copied())
    }

    /// Its last item.
    pub(crate) fn last(&self) -> u32 {
        self.more.last().copied().unwrap_or(self.first)
    }
}

/// A one-bit hash: names with different bits differ.
fn mark(name: &str) -> u64 {
    let sum = name.bytes().take(4).fold(name.len(), |sum, byte| sum.wrapping_mul(5) + usize::from(byte));
    1 << (sum % 64)
}

pub(crate) fn is_block(item: &Item<'_>) -> bool {
    matches!(item.content, Content::Block { .. })
}

fn duplicate(code: TreeView<'_>, first: &Item<'_>, second: &Item<'_>) -> Diagnostic {
    let detail = format!("{} is set twice in one block", excerpt(second.key));
    Diagnostic::new(Code::DuplicateAttribute, detail)
        .at(code.place(second.name))
        .and_at(code.place(first.name), "set here first")
        .fix("remove one of them")
}
