//! Tests of configurations: HCL in, what is not as expected out.
//!
//! A [`TestFile`] holds tests. Each is run on a machine in memory of its own, so that nothing of this machine is touched
//! and tests can run at the same time. `docs/testing.md` tells how they are written.

mod account;
mod after;
mod change_check;
mod expectation;
mod given;
mod machine;
mod mismatch;
mod outcome;
mod section;
mod shape;
mod state_check;
mod test_file;
mod trial;

pub use mismatch::Mismatch;
pub use outcome::Outcome;
pub use test_file::{Test, TestFile};
