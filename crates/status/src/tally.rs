//! How often things happened, since the watch began.

use std::time::Duration;

use rustc_hash::FxHashMap;
use uphold_engine::ChangeKind;
use uphold_model::Name;

/// Upper ends of the classes of a visit's duration, in seconds: a look takes microseconds, a package minutes.
pub(crate) const SPANS: [f64; 9] = [0.000_1, 0.001, 0.01, 0.1, 1.0, 10.0, 60.0, 300.0, 1_800.0];

/// Counters that only grow. They are kept by kind and by reason, never by resource.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) kinds: FxHashMap<Name, KindTally>,
    /// Visits by the reason for which they were made.
    pub(crate) reasons: FxHashMap<&'static str, u64>,
    /// Visits that ended in each class of [`SPANS`], and those that took longer.
    pub(crate) spans: [u64; SPANS.len() + 1],
    pub(crate) span_sum: Duration,
    pub(crate) reports_lost: u64,
    pub(crate) swaps: u64,
    pub(crate) refusals: u64,
}

/// What happened to the resources of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KindTally {
    pub(crate) visits: u64,
    pub(crate) failures: u64,
    pub(crate) drifted: u64,
    pub(crate) repaired: u64,
    /// By the sort of the change, in the order of [`ChangeKind::ALL`].
    pub(crate) changes: [u64; ChangeKind::ALL.len()],
}

impl Tally {
    /// A visit ended.
    pub(crate) fn visit(&mut self, kind: &Name, reason: &'static str, took: Duration) -> &mut KindTally {
        *self.reasons.entry(reason).or_default() += 1;
        let seconds = took.as_secs_f64();
        let class = SPANS.iter().position(|end| seconds <= *end).unwrap_or(SPANS.len());
        self.spans[class] += 1;
        self.span_sum = self.span_sum.saturating_add(took);
        let tally = self.kinds.entry(kind.clone()).or_default();
        tally.visits += 1;
        tally
    }

    /// One number over all kinds.
    pub(crate) fn sum(&self, number: impl Fn(&KindTally) -> u64) -> u64 {
        self.kinds.values().map(number).sum()
    }
}

impl KindTally {
    /// Something was changed.
    pub(crate) fn change(&mut self, kind: ChangeKind) {
        if let Some(at) = ChangeKind::ALL.iter().position(|known| *known == kind) {
            self.changes[at] += 1;
        }
    }

    /// Changes of all sorts.
    pub(crate) fn all_changes(&self) -> u64 {
        self.changes.iter().sum()
    }
}
