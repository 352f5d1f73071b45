//! Watches a machine, with a configuration that may change meanwhile. `docs/watch.md` is the user's guide.

mod input_state;
mod inputs;
mod reader;
mod session;

pub(crate) use session::ConfigurationSource;

pub use reader::{Generation, ReloadTrigger, WatchReader};
pub use session::{Steering, Watch, WatchOutcome};
