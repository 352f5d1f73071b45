//! The parser: tokens in, tree out, with all mistakes it met.

mod block;
mod body;
mod collection;
mod cursor;
mod escape;
mod expression;
mod heredoc;
mod nesting;
mod number;
mod recovery;
mod reference;
mod several_lines;
mod template;
mod unavailable;
mod wrong_quotes;
mod yaml;

pub(crate) use cursor::Parser;
