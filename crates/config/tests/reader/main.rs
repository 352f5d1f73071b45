//! The reader from outside: text in, statements and diagnostics out.

mod actions;
mod addresses;
mod blow_up;
mod corners;
mod deferred;
mod expressions;
mod facts;
mod fuzz;
mod groups;
mod handling;
mod limits;
mod linear;
mod mistakes;
mod modules;
mod optional;
mod oracle;
mod params;
mod print;
mod processor;
mod robustness;
mod same_values;
mod secrets;
mod spreads;
mod statements;
mod surroundings;
mod unknowns;
