//! The event log: stamps events with the time, and hands them to the reader in order.

use std::time::Duration;

use uphold_resource::Clock;

use super::trace::trace;
use crate::event::{Event, EventKind};

/// Where events go. Called in order; a slow reader slows the run down.
pub type Sink<'a> = &'a mut (dyn FnMut(&Event) + Send);

/// The one way out for events of a run or a watch.
pub(crate) struct EventLog<'a> {
    sink: Sink<'a>,
    clock: &'a dyn Clock,
    began: Duration,
}

impl<'a> EventLog<'a> {
    /// Times of events count from `began`.
    pub(crate) fn new(sink: Sink<'a>, clock: &'a dyn Clock, began: Duration) -> Self {
        Self { sink, clock, began }
    }

    /// The time of the machine's clock.
    pub(crate) fn now(&self) -> Duration {
        self.clock.elapsed()
    }

    pub(crate) fn report(&mut self, kind: EventKind) {
        trace(&kind);
        let at = self.now().saturating_sub(self.began);
        (self.sink)(&Event { at, kind });
    }
}
