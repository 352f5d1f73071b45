//! Who is told what happens in a watch.

use std::sync::Arc;

use uphold_engine::{Event, Program};
use uphold_model::{Diagnostics, Outlines, Sources};
use uphold_resource::Error;

use super::occasion::Occasion;
use crate::checked::Checked;

/// Is told everything, one thing after the other. A slow one slows the watch down.
pub trait WatchReader: Send {
    /// The configuration is about to be read again.
    fn reading(&mut self, occasion: &Occasion);

    /// It was read and checked. With errors among these it is refused, and the one before is held on; at the start there
    /// is none, and the watch ends. Without errors it is held next; then [`EventKind::Swapped`](crate::EventKind::Swapped)
    /// is told, unless yet another one comes first.
    fn checked(&mut self, occasion: &Occasion, diagnostics: &Diagnostics, sources: &Sources);

    /// It could not be read again; the one before is held on.
    fn unreadable(&mut self, occasion: &Occasion, error: &Error);

    /// What the configuration is read from cannot be watched, and is looked at now and then instead.
    fn blind(&mut self, because: &str);

    /// Something happened while this one was held.
    fn event(&mut self, event: &Event, held: &Generation);
}

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
