//! The lock of a run: one run changes a machine at a time.

mod file_system;
mod holder;
mod run_lock;

pub use holder::{Holder, OtherHolder};
pub(crate) use run_lock::current_holder;
pub use run_lock::{LockFailure, LockPlace, RunLock};
