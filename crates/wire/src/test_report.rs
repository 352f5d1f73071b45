//! JSON lines and the report of `uphold test`: `docs/testing.md` is the promise.

use serde::{Deserialize, Serialize};

use crate::object::{Diagnostic, Place, Related, Word};
use crate::read::Format;
use crate::version::Version;

/// All tests of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestReport {
    /// The version of the document.
    pub format_version: Version,
    /// The version of Uphold.
    pub uphold: Word,
    /// The numbers.
    pub summary: TestSummary,
    /// What is wrong with how tests are written.
    pub diagnostics: Vec<Diagnostic>,
    /// Each test, in the order in which they are written.
    pub tests: Vec<Test>,
}

impl Format for TestReport {
    const NAME: &'static str = "test report";
    const VERSION: Version = Version::new(1, 1);
}

/// How many tests passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestSummary {
    /// Failed tests.
    pub failed: usize,
    /// Passed tests.
    pub passed: usize,
    /// Files that could not be read.
    pub unreadable: usize,
}

/// One test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test {
    /// Its file.
    pub file: String,
    /// What was not as expected.
    pub mismatches: Vec<Mismatch>,
    /// Whether it passed.
    pub passed: bool,
    /// Where it is written.
    pub place: Option<Place>,
    /// Its name.
    pub test: String,
    /// How long it took.
    pub took_ms: u64,
}

/// A diagnostic, and the two texts that should be the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatch {
    /// The stable code of the mistake, such as `E0402`; null for an error that has none.
    #[serde(default)]
    pub code: Option<String>,
    /// What exactly is wrong.
    pub detail: String,
    /// The text that was expected.
    pub expected: Option<String>,
    /// What to do.
    pub fix: Option<String>,
    /// The text that was found.
    pub found: Option<String>,
    /// Where.
    pub place: Option<Place>,
    /// What else belongs to it.
    pub related: Vec<Related>,
    /// `error` or `warning`.
    pub severity: Word,
    /// The same words for the same mistake.
    pub summary: String,
}

/// What happened, in the lines of `uphold test --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "docs/testing.md has a row for each, which says what its fields mean")]
pub enum TestEvent {
    Version {
        format_version: Version,
        uphold: Word,
    },
    Diagnostic {
        diagnostic: Diagnostic,
    },
    TestFinished(Test),
    TestsFinished {
        summary: TestSummary,
        error: bool,
    },
    /// One that a later version added.
    #[serde(other)]
    Other,
}
