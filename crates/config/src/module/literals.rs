//! The attributes of blocks of plain literals: evaluated when they are read.

use std::ops::Range;

use uphold_model::{Attribute, Mutex, shed};

use super::block::{Block, Body, What};
use super::definition::{Member, Module};
use crate::parser::LiteralBlock;
use crate::source_code::SourceCode;

/// The attributes of one block: its source, the index of the first, and how many there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiteralRange {
    source: u32,
    first: u32,
    count: u32,
}

impl LiteralRange {
    /// The number of attributes.
    pub(crate) fn len(self) -> usize {
        self.count as usize
    }

    fn indexes(self) -> Range<usize> {
        self.first as usize..self.first as usize + self.len()
    }
}

/// The attributes of all literal blocks of a source.
#[derive(Debug)]
pub(super) enum LiteralLists {
    /// One list for all blocks: lists of each block would leave holes in memory when they are freed.
    Joined(Vec<Option<Attribute>>),
    /// A list for each block, which is not copied. For a process that ends after the run.
    Separate(Vec<Box<[Attribute]>>),
}

impl LiteralLists {
    /// Adds the attributes of a block of the source with this number.
    pub(super) fn add(&mut self, source: u32, attributes: Box<[Attribute]>) -> LiteralRange {
        let count = attributes.len() as u32;
        let first = match self {
            LiteralLists::Joined(all) => {
                all.extend(attributes.into_iter().map(Some));
                all.len() as u32 - count
            }
            LiteralLists::Separate(lists) => {
                lists.push(attributes);
                lists.len() as u32 - 1
            }
        };
        LiteralRange { source, first, count }
    }
}

/// The attributes of all literal blocks of a module, by the number of their source.
#[derive(Debug, Default)]
pub(crate) struct Literals(Mutex<Vec<LiteralLists>>);

impl Literals {
    /// Adds the next source.
    pub(super) fn push(&mut self, lists: LiteralLists) {
        self.0.get_mut().push(lists);
    }

    /// The attributes of a block, which is expanded again for each call of the module.
    pub(crate) fn copy(&self, range: LiteralRange, to: &mut Vec<Attribute>) {
        match &self.0.lock()[range.source as usize] {
            LiteralLists::Joined(all) => to.extend(all[range.indexes()].iter().flatten().cloned()),
            LiteralLists::Separate(lists) => to.extend_from_slice(&lists[range.first as usize]),
        }
    }

    /// Moves the attributes of a block out, which is not expanded again.
    pub(crate) fn take(&self, range: LiteralRange) -> Box<[Attribute]> {
        match &mut self.0.lock()[range.source as usize] {
            LiteralLists::Joined(all) => {
                let slots = all[range.indexes()].iter_mut();
                slots.map(|slot| slot.take().expect("each block is expanded once")).collect()
            }
            LiteralLists::Separate(lists) => std::mem::take(&mut lists[range.first as usize]),
        }
    }

    /// Frees all of them.
    pub(crate) fn release(&self) {
        for lists in std::mem::take(&mut *self.0.lock()) {
            match lists {
                LiteralLists::Joined(all) => shed(all),
                LiteralLists::Separate(lists) => drop(lists),
            }
        }
    }
}

impl Module {
    /// Adds a literal block, whose attributes are in this range.
    pub(super) fn add_literals(&mut self, block: LiteralBlock, range: LiteralRange, code: &SourceCode) {
        let LiteralBlock { id, kind, label, .. } = block;
        let number = self.add(Block {
            what: What::Resource,
            id,
            code: range.source,
            head: code.place(kind.to(label)),
            body: Body::unread(kind.start),
            arguments: Box::default(),
            literals: Some(range),
        });
        self.members.push(Member::Block(number));
    }
}
