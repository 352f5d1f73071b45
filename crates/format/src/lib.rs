//! The configuration formatter.
//!
//! [`format()`] changes only white space: it knows tokens and lines, but neither expressions nor kinds. So every
//! comment stays in place, and even an invalid file is formatted, as long as its strings, heredocs, comments and
//! brackets are closed.
//!
//! The style is that of `terraform fmt` and `hclfmt`.

mod alignment;
mod format;
mod lexer;
mod template;
mod token;
mod unformattable;

#[cfg(test)]
mod tests;

pub use format::format;
pub use unformattable::{Cause, Unformattable};
