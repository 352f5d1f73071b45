//! A whole machine in memory.

mod answer;
mod edits;
mod facts;
mod fixture;
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
mod write_in_place;

pub use answer::{Answer, CommandLine};
pub use fixture::Fixture;
pub use host::MemoryHost;
pub use journal::{Before, Edit, Write};
pub use program::Call;
pub use site::Reply;
pub use snapshot::Snapshot;
pub use units::MemoryUnit;
pub use watch::Trouble;
