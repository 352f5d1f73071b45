//! A whole machine in memory.

mod accounts;
mod answer;
mod company;
mod edits;
mod facts;
mod fill;
mod furnish;
mod host;
mod journal;
mod look;
mod program;
mod setup;
mod shell;
mod site;
mod snapshot;
mod state;
mod tamper;
mod units;
mod watch;

pub use answer::{Answer, CommandLine};
pub use furnish::Furnishing;
pub use host::MemoryHost;
pub use journal::{Before, Edit, Write};
pub use program::Call;
pub use site::Reply;
pub use snapshot::Snapshot;
pub use units::MemoryUnit;
pub use watch::Trouble;
