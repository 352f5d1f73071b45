//! Faults of a watcher.

use crate::machine::state::mix;

/// Faults of a watcher, as chances out of a hundred. None unless a test injects them.
///
/// All but `doubled` and `shuffled` violate the guarantees of a [`Watcher`](uphold_resource::Watcher): they are for tests of
/// the robustness against such violations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trouble {
    /// A report is lost silently.
    pub lost: u8,
    /// A report comes twice.
    pub doubled: u8,
    /// A report is delayed for up to three collections.
    pub delayed: u8,
    /// Reports are collected in random order.
    pub shuffled: u8,
    /// A report overflows the queue: all uncollected ones are lost, which is reported.
    pub overflowing: u8,
    /// An arming fails.
    pub refused: u8,
}

/// A repeatable random generator.
#[derive(Default)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// A number in `0..sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        usize::try_from(mix(self.0) % sides.max(1) as u64).unwrap_or_default()
    }

    /// Whether an event with this chance out of a hundred occurs.
    pub(crate) fn happens(&mut self, percent: u8) -> bool {
        percent > 0 && self.roll(100) < usize::from(percent)
    }
}
