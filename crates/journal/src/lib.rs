//! The journal: what a machine remembers between runs, as a directory of checksummed text files.
//!
//! Without it a run is less informed, never wrong: each failure is a value that the caller reports while the run goes on.
//! This crate knows neither the engine nor configuration.

// Unit tests and integration tests share a file, in which this crate has one name.
#[cfg(test)]
extern crate self as uphold_journal;

mod applied;
mod digest;
mod failure;
mod format;
mod journal;
mod json;
mod known_contents;
mod line;
mod lock;
mod objects;
mod paused;
mod pending;
mod process_id;
mod resource_key;
mod runs;
mod secret_key;
mod storage;
mod time;

pub use applied::{
    Applied, AppliedNotification, AppliedProperties, AppliedProperty, AppliedResource, BlockRemoval,
    DeclaredDigest, LastSet, LeftResource, Observed, SealedRecord, TooManyRemovals, cause, check_removals,
    dependency_digest, no_longer_declared, text_digest,
};
pub use failure::{Failure, Result};
pub use format::{FORMAT, NewerJournal};
pub use journal::{Journal, Records};
pub use known_contents::StoredContents;
pub use line::Damage;
pub use lock::{Holder, LockFailure, LockPlace, OtherHolder, RunLock};
pub use objects::{MOST_OBJECT, ObjectBounds, Objects};
pub use paused::{Pause, PauseFile, Pauses};
pub use pending::{Delivery, DueNotification, NewNotification, Pending, PendingView, Ticket};
pub use process_id::{Liveness, ProcessId};
pub use resource_key::ResourceKey;
pub use runs::{
    Action, ActionBegin, ActionEnd, ActionFilter, After, BrokenChain, Content, Difference, EditedFile,
    NewAction, NewRun, Previous, Recovery, Run, RunBegin, RunBounds, RunEnd, RunState, RunWriter, Runs, Side,
    Who, verify_audit_log,
};
pub use secret_key::SecretKey;
pub use storage::{
    AppendFile, Creation, Durability, Location, MemoryStorage, Part, Problem, Storage, StoredFile,
    Surroundings,
};
pub use time::Time;
