//! A configuration that is held.

use std::sync::Arc;

use uphold_engine::Program;
use uphold_model::Sources;

/// A sound configuration: the program that is held, and the texts that it was written in.
#[derive(Clone)]
pub struct Generation {
    /// Which one: 0 is the one that the watch began with; then as in [`EventKind::Swapped`](crate::EventKind::Swapped).
    pub number: u64,
    /// What is held.
    pub program: Arc<Program>,
    /// Where it was written.
    pub sources: Arc<Sources>,
}
