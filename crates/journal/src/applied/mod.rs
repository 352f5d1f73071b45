//! The last applied values: what was observed after the last apply, and what was declared then.

mod cause;
mod lines;
mod lookup;
mod record;
mod removal;
mod store;
mod stored_record;
#[cfg(test)]
mod tests;

pub use cause::cause;
pub use lines::{LeftResource, SealedRecord};
pub use lookup::LastSet;
pub(crate) use lookup::{find, last_set};
pub use record::{
    AppliedProperty, AppliedResource, DeclaredDigest, Observed, dependency_digest, text_digest,
};
pub use removal::{TooManyRemovals, check_removals, no_longer_declared};
pub use store::Applied;
