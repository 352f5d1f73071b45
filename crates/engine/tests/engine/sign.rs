//! One sign for each verdict.

use uphold_engine::{ChangeKind, Verdict};

pub(crate) fn sign(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Unchanged => "=",
        Verdict::Changed(change) | Verdict::WouldChange(change) => match change.kind {
            ChangeKind::Create => "+",
            ChangeKind::Update => "~",
            ChangeKind::Remove => "-",
            ChangeKind::Run => "!",
        },
        Verdict::MayChange { .. } => "?",
        Verdict::Failed(_) => "x",
        Verdict::Skipped(_) => "s",
        Verdict::NotWanted(_) => "o",
        Verdict::Differs(_) => "d",
        Verdict::Paused(..) => "p",
        Verdict::Ignored(_) => "i",
        Verdict::PutBack(_) => "b",
    }
}
