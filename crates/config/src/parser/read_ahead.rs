//! Literal blocks of a long text that other threads read before the parser reaches them.
//!
//! A literal block depends on nothing but the text from its kind on. So a thread may guess where blocks start: the parser
//! takes a block only at the byte where it would read the same block itself. The result does not depend on threads.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

use uphold_model::{Diagnostic, SourceId, reserve_heap};

use super::cursor::{Parser, RootItem};
use super::literal_block::{LiteralBlock, LiteralReader};
use crate::lexer::Lexer;
use crate::names::Names;
use crate::token::{Kind, Span, Token};

/// The minimum size of a part in bytes. A smaller one is read in less time than a thread takes to start.
const SMALLEST: usize = 1 << 20;

/// A literal block, and the state of a parser after it.
pub(super) struct BlockRead {
    pub(super) block: LiteralBlock,
    /// Its closing brace.
    pub(super) end: Span,
    /// The token after it.
    pub(super) after: Token,
    /// The first byte after that token.
    pub(super) at: usize,
}

/// The literal blocks of a part of a text, in written order.
type Part = Vec<BlockRead>;

/// The parts that are read ahead.
#[derive(Default)]
pub(super) struct Upcoming<'t> {
    /// The first byte of each part, and a function that waits for it.
    parts: VecDeque<(usize, Box<dyn FnOnce() -> Part + 't>)>,
    /// The remaining blocks of the current part.
    blocks: std::vec::IntoIter<BlockRead>,
}

impl Upcoming<'_> {
    /// The block that starts at this byte, if it was read ahead. Must be called in the order of the text.
    pub(super) fn take(&mut self, start: u32) -> Option<BlockRead> {
        while let Some((_, part)) = self.parts.pop_front_if(|(from, _)| *from <= start as usize) {
            self.blocks = part().into_iter();
        }
        let rest = self.blocks.as_slice();
        let passed = rest.iter().take_while(|read| read.block.kind.start < start).count();
        let is_here = rest.get(passed).is_some_and(|read| read.block.kind.start == start);
        self.blocks.nth(passed.checked_sub(usize::from(!is_here))?).filter(|_| is_here)
    }
}

/// Parses a source like [`Parser::parse_literals`]. The literal blocks of a long text are read on as many threads.
pub(crate) fn parse_literals_on(
    threads: NonZeroUsize,
    (text, source): (&str, SourceId),
    names: &mut Names,
    take: impl FnMut(RootItem),
) -> Vec<Diagnostic> {
    let parts = threads.get().min(text.len() / SMALLEST);
    if parts > 1 {
        // This thread also makes statements and resources of the blocks.
        reserve_heap(text.len() * 3);
    }
    parse_in_parts(&cuts(text, parts), (text, source), names, take)
}

#[expect(clippy::disallowed_methods, reason = "the only threads that read; the caller waits for them")]
fn parse_in_parts(
    cuts: &[usize],
    (text, source): (&str, SourceId),
    names: &mut Names,
    take: impl FnMut(RootItem),
) -> Vec<Diagnostic> {
    thread::scope(|scope| {
        let mut upcoming = Upcoming::default();
        for (number, from) in cuts.iter().enumerate() {
            let range = *from..cuts.get(number + 1).copied().unwrap_or(text.len());
            let read = move || {
                // The blocks with their attributes take somewhat more than their text.
                reserve_heap(range.len() * 2);
                read(text, source, range)
            };
            // Without another thread, the parser reads the part.
            let Ok(thread) = thread::Builder::new().spawn_scoped(scope, read) else { break };
            let wait = move || thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            upcoming.parts.push_back((*from, Box::new(wait)));
        }
        let mut reader = LiteralReader::new(names).with(upcoming);
        Parser::new(text, source).parse_literals(&mut reader, take)
    })
}

/// The starts of all parts but the first, if the text is read in this many parts. Each is probably after a block.
fn cuts(text: &str, parts: usize) -> Vec<usize> {
    let nominal = |number: usize| text.len() / parts * number;
    (1..parts).filter_map(|number| block_end(text, nominal(number)..nominal(number + 1))).collect()
}

/// The end of a line that starts with `}`, which probably ends a block.
fn block_end(text: &str, range: Range<usize>) -> Option<usize> {
    const END: &str = "\n}";
    let start = text.floor_char_boundary(range.start);
    let found = text.get(start..text.floor_char_boundary(range.end))?.find(END)?;
    Some(start + found + END.len())
}

/// Reads the literal blocks that start in this range of a text, as far as they are found. Linear: nothing is read twice.
fn read(text: &str, source: SourceId, range: Range<usize>) -> Part {
    let mut names = Names::default();
    let mut reader = LiteralReader::new(&mut names);
    let mut blocks = Vec::new();
    let mut lexer = Lexer::new(text);
    lexer.at = range.start;
    let mut line_start = false;
    while lexer.at < range.end {
        let token = lexer.next();
        let read = match token.kind {
            Kind::Newline => {
                line_start = true;
                continue;
            }
            Kind::Identifier if line_start => reader.read(lexer, (text, source), token.span),
            _ => Err(lexer.at),
        };
        line_start = read.as_ref().is_ok_and(|read| read.after.kind == Kind::Newline);
        match read {
            Ok(read) => {
                lexer.at = read.at;
                blocks.push(read);
            }
            Err(at) => {
                // The last byte may be the line break before `}`.
                let Some(end) = block_end(text, at - 1..range.end) else { break };
                lexer.at = end;
            }
        }
    }
    blocks
}
