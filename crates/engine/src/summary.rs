//! A run in numbers.

use crate::event::{ChangeKind, Verdict};

/// The run in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// As declared from the start.
    pub ok: usize,
    /// Changed, or in a plan: would be.
    pub changed: usize,
    /// Went wrong, outputs included.
    pub failed: usize,
    /// Went wrong, which is ignored.
    pub ignored: usize,
    /// Differ, and are left so: they are only audited.
    pub differ: usize,
    /// Not tried.
    pub skipped: usize,
    /// Of the changed: created.
    pub created: usize,
    /// Of the changed: updated.
    pub updated: usize,
    /// Of the changed: removed.
    pub removed: usize,
    /// Of the changed: verbs run.
    pub ran: usize,
    /// Of the changed, in a plan: cannot be told yet.
    pub may_change: usize,
    /// Left alone, because a condition does not hold.
    pub not_wanted: usize,
}

impl Summary {
    /// Counts one verdict.
    pub fn count(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Unchanged => self.ok += 1,
            Verdict::Changed(change) | Verdict::WouldChange(change) => self.count_change(change.kind),
            Verdict::MayChange { .. } => {
                self.changed += 1;
                self.may_change += 1;
            }
            Verdict::Failed(_) => self.failed += 1,
            Verdict::Skipped(_) => self.skipped += 1,
            Verdict::Differs(_) => self.differ += 1,
            Verdict::Ignored(_) => self.ignored += 1,
            Verdict::NotWanted(_) => self.not_wanted += 1,
        }
    }

    fn count_change(&mut self, kind: ChangeKind) {
        self.changed += 1;
        match kind {
            ChangeKind::Create => self.created += 1,
            ChangeKind::Update => self.updated += 1,
            ChangeKind::Remove => self.removed += 1,
            ChangeKind::Run => self.ran += 1,
        }
    }

    /// Adds what another run came to.
    pub(crate) fn add(&mut self, other: &Summary) {
        let Summary { ok, changed, failed, ignored, differ, skipped, created, updated, removed, ran, .. } =
            other;
        let pairs = [
            (&mut self.ok, ok),
            (&mut self.changed, changed),
            (&mut self.failed, failed),
            (&mut self.ignored, ignored),
            (&mut self.differ, differ),
            (&mut self.skipped, skipped),
            (&mut self.created, created),
            (&mut self.updated, updated),
            (&mut self.removed, removed),
            (&mut self.ran, ran),
            (&mut self.not_wanted, &other.not_wanted),
        ];
        pairs.into_iter().for_each(|(sum, more)| *sum += more);
    }

    /// Whether everything went well.
    pub fn is_success(&self) -> bool {
        self.failed == 0 && self.skipped == 0
    }
}
