//! The attributes of blocks of plain literals: evaluated when they are read.

use std::sync::Arc;

use uphold_model::{Attribute, Mutex, ResourceId, shed};

use super::block::{Block, Body, What};
use super::definition::{Member, Module};
use crate::names::Names;
use crate::parser::LiteralBlock;
use crate::source_code::SourceCode;
use crate::token::Span;

/// The attributes of one block: the index of the first, and how many there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiteralRange {
    first: usize,
    pub(crate) count: usize,
}

/// The attributes of all literal blocks of a module, in one list: a list for each block would leave holes in memory.
#[derive(Debug, Default)]
pub(crate) struct Literals(Mutex<Vec<Option<Attribute>>>);

impl Literals {
    /// Adds the attributes of a source, and returns the number of those before.
    pub(super) fn append(&mut self, mut more: Vec<Option<Attribute>>) -> usize {
        let all = self.0.get_mut();
        let before = all.len();
        if before == 0 {
            *all = more;
        } else {
            all.append(&mut more);
        }
        before
    }

    /// The attributes of a block, which is expanded again for each call of the module.
    pub(crate) fn copy(&self, range: LiteralRange, to: &mut Vec<Attribute>) {
        let all = self.0.lock();
        to.extend(all[range.first..range.first + range.count].iter().flatten().cloned());
    }

    /// Moves the attributes of a block out, which is not expanded again.
    pub(crate) fn take(&self, range: LiteralRange) -> Box<[Attribute]> {
        let mut all = self.0.lock();
        let slots = &mut all[range.first..range.first + range.count];
        slots.iter_mut().map(|slot| slot.take().expect("each block is expanded once")).collect()
    }

    /// Frees all of them.
    pub(crate) fn release(&self) {
        shed(std::mem::take(&mut *self.0.lock()));
    }
}

impl Module {
    /// Adds a literal block of the source with this number; `before` is the number of attributes of earlier sources.
    pub(super) fn add_literals(
        &mut self,
        block: LiteralBlock,
        before: usize,
        (number, code): (u32, &Arc<SourceCode>),
        names: &mut Names,
    ) {
        let LiteralBlock { kind, label, first, count } = block;
        let name = Span { start: label.start + 1, end: label.end - 1 };
        let id = ResourceId::new(names.get(&code.text[kind.range()]), &code.text[name.range()]);
        let number = self.add(Block {
            what: What::Resource,
            id,
            code: number,
            head: code.place(kind.to(label)),
            body: Body::unread(kind.start),
            arguments: Box::default(),
            literals: Some(LiteralRange { first: before + first as usize, count: count as usize }),
        });
        self.members.push(Member::Block(number));
    }
}
