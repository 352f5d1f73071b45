//! Tests for programs: `docs/testing.md` is the promise.

use uphold::model::{Diagnostics, Sources};
use uphold::testing::Mismatch;
use uphold::{Lines, sorted};
use uphold_wire::{Diagnostic, test_report as wire};

use super::result::{Tally, TestResult};
use crate::report::span::milliseconds;
use crate::report::wire::{diagnostic, place};

/// How many passed.
pub(crate) fn summary(tally: &Tally) -> wire::TestSummary {
    let Tally { passed, failed, unreadable } = *tally;
    wire::TestSummary { failed, passed, unreadable }
}

/// What is wrong with how tests are written.
pub(crate) fn mistakes(found: &Diagnostics, sources: &Sources) -> Vec<Diagnostic> {
    let mut lines = Lines::new(sources);
    sorted(found).into_iter().map(|mistake| diagnostic(mistake, &mut lines)).collect()
}

/// How a test went.
pub(crate) fn test(result: &TestResult<'_>) -> wire::Test {
    let mut lines = Lines::new(&result.outcome.sources);
    let mismatches = result.outcome.mismatches.iter();
    wire::Test {
        place: result.test.place.map(|at| place(at, &mut lines)),
        mismatches: mismatches.map(|mismatch| self::mismatch(mismatch, &mut lines)).collect(),
        file: result.file.name().to_owned(),
        passed: result.outcome.passed(),
        test: result.test.name.to_string(),
        took_ms: milliseconds(result.took),
    }
}

/// A diagnostic, and the two texts that should be the same.
fn mismatch(mismatch: &Mismatch, lines: &mut Lines<'_>) -> wire::Mismatch {
    let Diagnostic { code, detail, fix, place, related, severity, summary } =
        diagnostic(&mismatch.diagnostic, lines);
    let (expected, found) = mismatch.texts.clone().unzip();
    wire::Mismatch { code, detail, expected, fix, found, place, related, severity, summary }
}
