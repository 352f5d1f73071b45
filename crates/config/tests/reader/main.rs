//! The reader from outside: text in, statements and diagnostics out.

mod actions;
mod deferred;
mod expressions;
mod limits;
mod mistakes;
mod modules;
mod oracle;
mod params;
mod print;
mod probe;
mod robustness;
mod spreads;
mod statements;
mod surroundings;
mod unknowns;
