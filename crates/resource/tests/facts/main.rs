//! Facts from the tests of Chef, tested with Uphold. Each test has the id of its fact; `docs/facts-chef.md` lists all of them,
//! and the reasons of those that differ.

mod block;
mod converge;
mod coverage;
mod identity;
mod load;
mod property;
mod prototype;
mod validation;
