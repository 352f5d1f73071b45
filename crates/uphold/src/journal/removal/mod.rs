//! Resources that were applied and are no longer declared: which of them are removed, and which are not, and why.

mod conflicts;
mod intent;
mod plan;
mod redeclared;
mod removals;
mod revert;
mod run_stub;
mod trial;

pub use plan::RemovalRequest;
pub(super) use redeclared::Redeclared;
pub use removals::{Removals, TooMany};
