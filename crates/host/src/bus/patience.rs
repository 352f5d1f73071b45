//! How long something may take.

use std::time::{Duration, Instant};

use uphold_resource::Stop;

/// How long something may take.
#[derive(Clone, Copy)]
pub(crate) struct Patience<'a> {
    until: Instant,
    stop: &'a Stop,
    /// Whether it goes on when the run is to be stopped, until that is urgent.
    is_firm: bool,
}

impl<'a> Patience<'a> {
    /// This long from now, or until the run is to be stopped.
    pub(crate) fn of(span: Duration, stop: &'a Stop) -> Self {
        // Nobody waits for a year.
        let year = Duration::from_secs(365 * 24 * 3600);
        Self { until: Instant::now() + span.min(year), stop, is_firm: false }
    }

    /// The same for what takes a moment: it is not left because the run is to be stopped, unless that is urgent.
    pub(crate) fn firm(span: Duration, stop: &'a Stop) -> Self {
        Self { is_firm: true, ..Self::of(span, stop) }
    }

    /// The same, but no longer than `span` from now.
    pub(super) fn at_most(self, span: Duration) -> Self {
        Self { until: self.until.min(Instant::now() + span), ..self }
    }

    /// What is left of it.
    pub(crate) fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }

    /// Whether the run is to be stopped.
    pub(super) fn is_over(&self) -> bool {
        self.stop.is_urgent() || (self.stop.is_requested() && !self.is_firm)
    }
}
