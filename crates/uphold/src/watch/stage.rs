//! Where the engine and the reading of configuration meet.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use uphold_engine::{Control, Event, EventKind};

use super::reader::{Generation, WatchReader};

/// The reader, and which configuration its events are about. Both threads tell it what happens, one at a time.
pub(super) struct Stage<'a>(Mutex<Inner<'a>>);

struct Inner<'a> {
    reader: &'a mut dyn WatchReader,
    held: Generation,
    /// Given to the engine, but not held yet.
    next: BTreeMap<u64, Generation>,
}

impl<'a> Stage<'a> {
    pub(super) fn new(reader: &'a mut dyn WatchReader, held: Generation) -> Self {
        Self(Mutex::new(Inner { reader, held, next: BTreeMap::new() }))
    }

    /// Something happened in the engine.
    pub(super) fn event(&self, event: &Event) {
        let mut inner = self.lock();
        if let EventKind::Swapped { generation, .. } = event.kind {
            inner.enter(generation);
        }
        let Inner { reader, held, .. } = &mut *inner;
        reader.event(event, held);
    }

    /// Something happened to the configuration.
    pub(super) fn tell(&self, tell: impl FnOnce(&mut dyn WatchReader)) {
        tell(self.lock().reader);
    }

    /// Holds another configuration. The number is not known before, and the engine may be quick: so it is done under
    /// the lock that its events pass.
    pub(super) fn swap(&self, control: &Control, generation: Generation) {
        let mut inner = self.lock();
        let number = control.swap(generation.program.clone());
        inner.next.insert(number, Generation { number, ..generation });
    }

    fn lock(&self) -> MutexGuard<'_, Inner<'a>> {
        // A reader that panicked ends the watch; until then the others may go on.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner<'_> {
    /// Those before it were never held.
    fn enter(&mut self, number: u64) {
        let later = self.next.split_off(&(number + 1));
        if let Some(generation) = std::mem::replace(&mut self.next, later).remove(&number) {
            self.held = generation;
        }
    }
}
