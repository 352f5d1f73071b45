//! The library through its public interface: examples, corner cases, errors, and invariants of all functions.

mod corners;
mod examples;
mod expression;
mod facts;
mod faults;
mod laws;
mod limits;
mod table;
mod world;
