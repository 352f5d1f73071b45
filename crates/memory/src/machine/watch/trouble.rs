//! How badly a machine reports.

use crate::machine::state::mix;

/// How badly a machine reports, as chances out of a hundred. A machine has none of it unless told.
///
/// All but `doubled` and `shuffled` break what a [`Watcher`](uphold_resource::Watcher) guarantees: that is for
/// whoever has to live with a bad one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trouble {
    /// A report is lost, and nobody says so.
    pub lost: u8,
    /// A report comes twice.
    pub doubled: u8,
    /// A report is held back for up to three collections.
    pub delayed: u8,
    /// What is collected comes in any order.
    pub shuffled: u8,
    /// A report overflows the queue: all that wait are lost, which is said.
    pub overflowing: u8,
    /// Nothing can be watched, for this once.
    pub refused: u8,
}

/// Chance that can be repeated.
#[derive(Default)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// One of `0..sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        usize::try_from(mix(self.0) % sides.max(1) as u64).unwrap_or_default()
    }

    /// Whether something happens that does so this often out of a hundred.
    pub(crate) fn happens(&mut self, percent: u8) -> bool {
        percent > 0 && self.roll(100) < usize::from(percent)
    }
}
