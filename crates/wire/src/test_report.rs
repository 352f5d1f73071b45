//! The JSON lines and the report of `uphold test`; `docs/testing.md` specifies them.

use serde::{Deserialize, Serialize};

use super::version::Format;
use crate::object::{Diagnostic, Place, Related, Word};
use crate::version::Version;

/// All tests of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestReport {
    /// The version of the document.
    pub format_version: Version,
    /// The version of Uphold.
    pub uphold: Word,
    /// The counts.
    pub summary: TestSummary,
    /// Errors in the test files.
    pub diagnostics: Vec<Diagnostic>,
    /// The tests, in source order.
    pub tests: Vec<Test>,
}

impl Format for TestReport {
    const NAME: &'static str = "test report";
    const VERSION: Version = Version::new(2, 1);
}

/// The counts of a test run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestSummary {
    /// Failed tests.
    pub failed: usize,
    /// Passed tests.
    pub passed: usize,
    /// Files that could not be read.
    pub unreadable: usize,
    /// Laws that could not be tested.
    #[serde(default)]
    pub untested: usize,
}

/// One test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test {
    /// Its file.
    pub file: String,
    /// The expectations that were not met.
    pub mismatches: Vec<Mismatch>,
    /// Whether it passed. False for a law that was not tested, too.
    pub passed: bool,
    /// Why a law was not tested.
    #[serde(default)]
    pub untested: Option<Word>,
    /// Its location.
    pub location: Option<Place>,
    /// Its name.
    pub test: String,
    /// The duration.
    pub duration_ms: u64,
}

/// A diagnostic, with the expected and the actual text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatch {
    /// The stable code, such as `E0402`; null for an error that is not about the configuration.
    #[serde(default)]
    pub code: Option<String>,
    /// The problem in this case.
    pub detail: String,
    /// The expected text.
    pub expected: Option<String>,
    /// How to fix it.
    pub fix: Option<String>,
    /// The actual text.
    pub actual: Option<String>,
    /// Its location.
    pub location: Option<Place>,
    /// Other locations that belong to it.
    pub related: Vec<Related>,
    /// `error` or `warning`.
    pub severity: Word,
    /// The constant text of the code.
    pub summary: String,
}

/// An event in the lines of `uphold test --json`.
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
    /// An event of a later version.
    #[serde(other)]
    Other,
}
