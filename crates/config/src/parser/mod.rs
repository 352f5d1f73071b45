//! The parser: tokens in, tree out, with all mistakes it met.

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
mod heredoc;
mod line_break;
mod lone;
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
mod oracle;
mod piece;
#[cfg(test)]
mod print;
mod recovery;
mod several_lines;
#[cfg(test)]
mod soup;
mod template;
#[cfg(test)]
mod trees;
mod wrong_operator;
mod wrong_quotes;
mod yaml;

pub(crate) use cursor::Parser;
