//! Deadlines.

use std::time::{Duration, Instant};

use uphold_resource::Stop;

/// The deadline of an operation.
#[derive(Clone, Copy)]
pub(crate) struct Deadline<'a> {
    until: Instant,
    stop: &'a Stop,
    /// Whether a stop request does not end it unless it is urgent.
    is_firm: bool,
}

impl<'a> Deadline<'a> {
    /// A deadline after `span`. A stop request ends it early.
    pub(crate) fn of(span: Duration, stop: &'a Stop) -> Self {
        // `Instant` cannot represent every span; a year is longer than any wait.
        let year = Duration::from_secs(365 * 24 * 3600);
        Self { until: Instant::now() + span.min(year), stop, is_firm: false }
    }

    /// A deadline for a short operation, which only an urgent stop request ends early.
    pub(crate) fn firm(span: Duration, stop: &'a Stop) -> Self {
        Self { is_firm: true, ..Self::of(span, stop) }
    }

    /// The same deadline, but at most `span` from now.
    pub(super) fn at_most(self, span: Duration) -> Self {
        Self { until: self.until.min(Instant::now() + span), ..self }
    }

    /// The remaining time.
    pub(crate) fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }

    /// Whether a stop request has ended it.
    pub(super) fn is_over(&self) -> bool {
        self.stop.is_urgent() || (self.stop.is_requested() && !self.is_firm)
    }
}
