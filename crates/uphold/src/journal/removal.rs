//! Resources that were applied and are no longer declared: which of them are removed, and which are not, and why.

mod candidate;
mod conflicts;
mod plan;
mod redeclared;
mod removals;
mod trial;

pub use plan::RemovalRequest;
pub(super) use redeclared::Redeclared;
pub use removals::{Removals, TooMany, is_removal_reason};
