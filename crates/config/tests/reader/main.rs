//! The reader from outside: text in, statements and diagnostics out.

mod deferred;
mod limits;
mod mistakes;
mod mistakes_in_blocks;
mod mistakes_in_values;
mod mistakes_of_newcomers;
mod oracle;
mod print;
mod robustness;
mod statements;
