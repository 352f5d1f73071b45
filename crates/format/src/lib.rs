//! How configuration is laid out.
//!
//! [`format()`] changes white space and nothing else: it knows tokens and lines, but neither expressions nor kinds.
//! So every comment stays where it is, and a file that the reader would refuse is laid out as well, as long as its
//! strings, heredocs, comments and brackets end.
//!
//! The layout is the one that `terraform fmt` and `hclfmt` have made common.

mod alignment;
mod format;
mod indentation;
mod lexer;
mod line;
mod spacing;
mod template;
mod token;
mod unformattable;

#[cfg(test)]
mod tests;

pub use format::format;
pub use unformattable::{Cause, Unformattable};
