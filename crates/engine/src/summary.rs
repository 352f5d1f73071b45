//! The summary of a run.

use crate::event::{ChangeKind, Verdict};

/// The number of actions by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// As declared from the start.
    pub ok: usize,
    /// Changed, or in a plan: would be. Without those that were put back.
    pub changed: usize,
    /// Failed, outputs included.
    pub failed: usize,
    /// Failed, with `ignore_failure`.
    pub ignored: usize,
    /// Differ, and are not changed: they are only audited.
    pub differ: usize,
    /// Differ, and are not changed: they are paused.
    pub paused: usize,
    /// Skipped because of a failure, a limit or a stop.
    pub skipped: usize,
    /// Of the changed: created.
    pub created: usize,
    /// Of the changed: updated.
    pub updated: usize,
    /// Of the changed: removed.
    pub removed: usize,
    /// Of the changed: verbs run.
    pub ran: usize,
    /// Of the changed, in a plan: not known yet.
    pub may_change: usize,
    /// Skipped because of a condition.
    pub not_wanted: usize,
    /// Changed, and put back because the verification of their group failed.
    pub put_back: usize,
}

impl Summary {
    /// Counts one verdict.
    pub fn count(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Unchanged => self.ok += 1,
            Verdict::Changed(change) | Verdict::WouldChange(change) => self.count_change(change.kind),
            // It was counted as a change.
            Verdict::PutBack(change) => self.put_back(change.kind),
            Verdict::MayChange { .. } => {
                self.changed += 1;
                self.may_change += 1;
            }
            Verdict::Failed(_) => self.failed += 1,
            Verdict::Skipped(_) => self.skipped += 1,
            Verdict::Differs(_) => self.differ += 1,
            Verdict::Paused(..) => self.paused += 1,
            Verdict::Ignored(_) => self.ignored += 1,
            Verdict::NotWanted(_) => self.not_wanted += 1,
        }
    }

    fn count_change(&mut self, kind: ChangeKind) {
        self.changed += 1;
        *self.of_kind(kind) += 1;
    }

    /// A change that was counted was put back.
    fn put_back(&mut self, kind: ChangeKind) {
        self.changed -= 1;
        *self.of_kind(kind) -= 1;
        self.put_back += 1;
    }

    fn of_kind(&mut self, kind: ChangeKind) -> &mut usize {
        match kind {
            ChangeKind::Create => &mut self.created,
            ChangeKind::Update => &mut self.updated,
            ChangeKind::Remove => &mut self.removed,
            ChangeKind::Run => &mut self.ran,
        }
    }

    /// Adds the numbers of another run.
    pub(crate) fn add(&mut self, other: &Summary) {
        // Without `..`: a new number cannot be forgotten.
        let &Summary {
            ok,
            changed,
            failed,
            ignored,
            differ,
            paused,
            skipped,
            created,
            updated,
            removed,
            ran,
            may_change,
            not_wanted,
            put_back,
        } = other;
        self.ok += ok;
        self.changed += changed;
        self.failed += failed;
        self.ignored += ignored;
        self.differ += differ;
        self.paused += paused;
        self.skipped += skipped;
        self.created += created;
        self.updated += updated;
        self.removed += removed;
        self.ran += ran;
        self.may_change += may_change;
        self.not_wanted += not_wanted;
        self.put_back += put_back;
    }

    /// Whether nothing failed, and nothing was skipped because of a failure.
    pub fn is_success(&self) -> bool {
        self.failed == 0 && self.skipped == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_every_number() {
        let one = Summary {
            ok: 1,
            changed: 2,
            failed: 3,
            ignored: 4,
            differ: 5,
            paused: 13,
            skipped: 6,
            created: 7,
            updated: 8,
            removed: 9,
            ran: 10,
            may_change: 11,
            not_wanted: 12,
            put_back: 13,
        };
        let mut sum = Summary::default();
        sum.add(&one);
        assert_eq!(sum, one);
    }
}
