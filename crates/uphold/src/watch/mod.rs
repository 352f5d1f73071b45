//! Holding a machine to a configuration that may change meanwhile.
//!
//! `docs/watch.md` tells users.

mod inputs;
mod ledger;
mod occasion;
mod reader;
mod session;
mod source;
mod stage;
mod steering;

pub use occasion::Occasion;
pub use reader::{Generation, WatchReader};
pub use session::{Watch, WatchOutcome};
pub use steering::Steering;

pub(crate) use source::ConfigurationSource;
