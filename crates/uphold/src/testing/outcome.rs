//! How a test went.

use std::sync::Arc;

use uphold_engine::{Event, Program};
use uphold_model::Sources;

use super::mismatch::Mismatch;

/// How a test went, with all that is needed to show it.
pub struct Outcome {
    /// The test file, then the configuration.
    pub sources: Sources,
    /// What is wrong, in the order in which it was found; nothing if the test passed.
    pub mismatches: Vec<Mismatch>,
    /// The configuration, if it could be checked.
    pub program: Option<Arc<Program>>,
    /// What happened in the run that was looked at.
    pub events: Vec<Event>,
}

impl Outcome {
    /// Whether everything was as expected.
    pub fn passed(&self) -> bool {
        self.mismatches.is_empty()
    }
}
