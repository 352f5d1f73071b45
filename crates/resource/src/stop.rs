//! Ending a run early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The wish to end a run early and kindly: nothing new is started, and commands that run are
/// asked to end. Clones are one wish; engine and host are given the same.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Wishes it.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was wished.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for a signal handler to set.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}
