//! Tests of configurations: HCL in, unmet expectations out.
//!
//! A [`TestFile`] has tests. Each runs on a machine in memory, so that this machine is not touched and tests can run in
//! parallel. `docs/testing.md` is the user's guide.

mod change_check;
mod comparison;
mod expectation;
#[cfg(feature = "luau")]
mod laws;
mod machine;
mod section;
mod shape;
mod test_file;
mod trial;

pub use test_file::{Mismatch, Outcome, Test, TestFile};
