//! A configuration that is held.

use std::sync::Arc;

use uphold_engine::Program;
use uphold_model::Outlines;

use crate::checked::Checked;

/// A valid configuration: the program that is held, and where it was written. The texts themselves are
/// not kept: they may be larger than all that is held.
#[derive(Clone)]
pub struct Generation {
    /// Which one: 0 is the one that the watch began with; then as in [`EventKind::Swapped`](crate::EventKind::Swapped).
    pub number: u64,
    /// What is held.
    pub program: Arc<Program>,
    /// Lines and columns of the texts that it was written in.
    pub outlines: Arc<Outlines>,
}

impl Generation {
    pub(super) fn new(checked: Checked) -> Self {
        Self { number: 0, outlines: Arc::new(Outlines::of(&checked.sources)), program: checked.program }
    }
}
