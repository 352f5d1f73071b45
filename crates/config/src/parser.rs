//! The parser: turns tokens into a tree, and collects all mistakes.

mod assembly;
mod block;
mod body;
mod collection;
mod cursor;
mod depth;
mod directive;
mod expression;
mod foreign_text;
#[cfg(test)]
mod fuzz_tests;
mod heredoc;
mod line_break;
mod literal_block;
mod loop_head;
mod member;
#[cfg(test)]
mod mistakes_in_expressions;
#[cfg(test)]
mod mistakes_in_templates;
mod nesting;
mod number;
#[cfg(test)]
mod other_parser;
mod piece;
#[cfg(test)]
mod print;
mod read_ahead;
mod recovery;
mod template;
#[cfg(test)]
mod trees;
mod wrong_operator;

pub(crate) use cursor::{Parser, RootItem};
pub(crate) use literal_block::LiteralBlock;
pub(crate) use read_ahead::parse_literals_on;
