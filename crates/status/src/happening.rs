//! What happened lately.

use std::collections::VecDeque;
use std::sync::Arc;

use uphold_wire::status::Happening;

/// How many happenings are kept: a screen has room for fewer, and a watch goes on for months.
pub const HAPPENINGS: usize = 200;

/// The last happenings; the oldest makes room.
#[derive(Debug, Default)]
pub(crate) struct Happenings(VecDeque<Arc<Happening>>);

impl Happenings {
    /// Keeps one more.
    pub(crate) fn push(&mut self, happening: Happening) {
        if self.0.len() == HAPPENINGS {
            self.0.pop_front();
        }
        self.0.push_back(Arc::new(happening));
    }

    /// All that are kept, oldest first.
    pub(crate) fn all(&self) -> Vec<Arc<Happening>> {
        self.0.iter().cloned().collect()
    }
}
