//! Tests as JSON: `docs/testing.md` is the promise.

use serde_json::{Value as Json, json};
use uphold::model::{Diagnostics, Sources};
use uphold::testing::{Mismatch, TestFile};

use super::result::{Tally, TestResult};
use crate::diagnostics::sorted;
use crate::lines::Lines;
use crate::report::span::milliseconds;
use crate::report::wire;

/// The version of the lines and of the document: the minor number grows when something is added, the major number
/// when something that was there changes or goes.
pub(crate) const FORMAT_VERSION: &str = "1.0";

/// All tests of a command.
#[derive(Default)]
pub(crate) struct Document {
    diagnostics: Vec<Json>,
    tests: Vec<Json>,
}

impl Document {
    /// A file has mistakes.
    pub(crate) fn mistakes(&mut self, file: &TestFile, found: &Diagnostics) {
        self.diagnostics.extend(mistakes(found, &file.sources()));
    }

    /// A test was run.
    pub(crate) fn add(&mut self, test: Json) {
        self.tests.push(test);
    }

    /// All of it.
    pub(crate) fn finish(self, tally: &Tally) -> Json {
        json!({
            "format_version": FORMAT_VERSION,
            "uphold": env!("CARGO_PKG_VERSION"),
            "summary": summary(tally),
            "diagnostics": self.diagnostics,
            "tests": self.tests,
        })
    }
}

/// How many passed.
pub(crate) fn summary(tally: &Tally) -> Json {
    json!({ "passed": tally.passed, "failed": tally.failed, "unreadable": tally.unreadable })
}

/// What is wrong with how tests are written.
pub(crate) fn mistakes(found: &Diagnostics, sources: &Sources) -> Vec<Json> {
    let mut lines = Lines::new(sources);
    sorted(found).into_iter().map(|diagnostic| wire::diagnostic(diagnostic, &mut lines)).collect()
}

/// `{file, test, place, passed, mismatches, took_ms}`.
pub(crate) fn test(result: &TestResult<'_>) -> Json {
    let mut lines = Lines::new(&result.outcome.sources);
    let place = result.test.place.map(|place| wire::place(place, &mut lines));
    let mismatches: Vec<Json> =
        result.outcome.mismatches.iter().map(|mismatch| self::mismatch(mismatch, &mut lines)).collect();
    json!({
        "file": result.file.name(),
        "test": result.test.name,
        "place": place,
        "passed": result.outcome.passed(),
        "mismatches": mismatches,
        "took_ms": milliseconds(result.took),
    })
}

/// A diagnostic, and the two texts that should be the same.
fn mismatch(mismatch: &Mismatch, lines: &mut Lines<'_>) -> Json {
    let mut json = wire::diagnostic(&mismatch.diagnostic, lines);
    let (expected, found) = mismatch.texts.clone().unzip();
    json["expected"] = expected.into();
    json["found"] = found.into();
    json
}
