//! The last applied values: what was observed after the last apply, and what was declared then.

mod cause;
mod lines;
mod record;
mod removal;
mod store;
#[cfg(test)]
mod tests;

pub use cause::cause;
pub use lines::LeftResource;
pub use record::{
    AppliedProperty, AppliedResource, DeclaredDigest, Observed, dependency_digest, text_digest,
};
pub use removal::{TooManyRemovals, check_removals, no_longer_declared};
pub use store::{Applied, LastSet};
pub(crate) use store::{find, last_set};
