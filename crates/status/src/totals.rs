//! A watch in numbers.

/// How many resources are in which state now, and how often things happened since the watch began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// All actions.
    pub all: usize,
    /// Not visited yet.
    pub waiting: usize,
    /// As declared.
    pub held: usize,
    /// Went wrong.
    pub failed: usize,
    /// Went wrong, which is ignored.
    pub ignored: usize,
    /// Cannot be visited, because what they stand on failed.
    pub blocked: usize,
    /// Differ, and are only audited.
    pub differ: usize,
    /// Left alone.
    pub left_alone: usize,
    /// Visited right now, whatever their state.
    pub busy: usize,
    /// Still to be done with: not visited yet, visited right now, or to be tried again.
    pub pending: usize,
    /// Looked at now and then, because they cannot be watched.
    pub blind: usize,
    /// Visits that ended.
    pub visits: u64,
    /// Visits that changed something.
    pub changes: u64,
    /// Visits that failed.
    pub failures: u64,
    /// How often something that was as declared had been changed by something else.
    pub drifted: u64,
    /// How often that was put right.
    pub repaired: u64,
    /// How often reports of the machine were lost.
    pub reports_lost: u64,
    /// How often another configuration was taken up.
    pub swaps: u64,
    /// How often another configuration was refused.
    pub refusals: u64,
}
