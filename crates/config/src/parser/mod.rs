//! The parser: turns tokens into a tree, and collects all mistakes.

mod assembly;
mod block;
mod body;
mod call;
mod collection;
mod cursor;
mod depth;
mod directive;
mod escape;
mod expression;
mod expression_entry;
mod foreign_text;
#[cfg(test)]
mod fuzz_tests;
mod heredoc;
mod line_break;
mod loop_head;
mod member;
#[cfg(test)]
mod mistakes_in_expressions;
#[cfg(test)]
mod mistakes_in_templates;
mod nesting;
mod number;
mod operator;
#[cfg(test)]
mod other_parser;
mod piece;
#[cfg(test)]
mod print;
mod recovery;
mod several_lines;
mod template;
#[cfg(test)]
mod trees;
mod wrong_operator;
mod wrong_quotes;

pub(crate) use cursor::Parser;
