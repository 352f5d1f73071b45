//! The library as its callers see it: every example, odd corners, faults, and laws that hold for all functions.

mod corners;
mod examples;
mod expression;
mod facts;
mod faults;
mod laws;
mod limits;
mod table;
mod world;
