//! The runs: what each run did, why, and what was there before.

mod bounds;
mod chain;
mod file_name;
mod history;
mod record;
mod recovery;
#[cfg(test)]
mod tests;
mod writer;

pub use bounds::RunBounds;
pub(crate) use bounds::prune;
pub use chain::{BrokenChain, verify_audit_log};
pub(crate) use file_name::{FOLDER, compressed};
pub use history::{Action, ActionFilter, Run, RunState, Runs};
pub(crate) use record::sha256;
pub use record::{
    ActionBegin, ActionEnd, Content, Difference, NewAction, Previous, RunBegin, RunEnd, Side, Who,
};
pub use recovery::{After, EditedFile, Recovery};
pub use writer::{NewRun, RunWriter};
