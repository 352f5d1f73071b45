//! A machine in memory.

mod access;
mod accounts;
mod edits;
mod facts;
mod fill;
mod host;
mod journal;
mod look;
mod node;
mod program;
mod setup;
mod shell;
mod snapshot;
mod state;
mod tamper;
mod tree;
mod walk;

pub use host::MemoryHost;
pub use journal::{Before, Edit, Write};
pub use program::Call;
pub use snapshot::Snapshot;
