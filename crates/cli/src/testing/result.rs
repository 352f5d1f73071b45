//! A test that was run.

use std::time::Duration;

use uphold::testing::{Outcome, Test, TestFile};

/// A test, and how it went.
pub(crate) struct TestResult<'a> {
    pub(crate) file: &'a TestFile,
    pub(crate) test: &'a Test,
    pub(crate) outcome: Outcome,
    pub(crate) took: Duration,
}

/// How many tests passed, and how many did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    /// Files that could not be read, so that nobody knows what is in them.
    pub(crate) unreadable: usize,
}

impl Tally {
    /// Counts one more.
    pub(crate) fn count(&mut self, passed: bool) {
        if passed { self.passed += 1 } else { self.failed += 1 }
    }

    /// Whether all is well.
    pub(crate) fn is_success(&self) -> bool {
        self.failed == 0 && self.unreadable == 0
    }

    /// `3 tests: 2 passed, 1 failed.`
    pub(crate) fn sentence(&self) -> String {
        let Self { passed, failed, unreadable } = self;
        let tests = crate::diagnostics::count(passed + failed, "test");
        let unreadable = match unreadable {
            0 => String::new(),
            some => {
                format!("; {} not run, because of mistakes in them", crate::diagnostics::count(*some, "file"))
            }
        };
        format!("{tests}: {passed} passed, {failed} failed{unreadable}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_is_one_sentence() {
        let check = |passed, failed, unreadable, expected: &str, success| {
            let tally = Tally { passed, failed, unreadable };
            assert_eq!((&*tally.sentence(), tally.is_success()), (expected, success));
        };
        check(1, 0, 0, "1 test: 1 passed, 0 failed.", true);
        check(2, 1, 0, "3 tests: 2 passed, 1 failed.", false);
        let unread = "2 tests: 2 passed, 0 failed; 1 file not run, because of mistakes in them.";
        check(2, 0, 1, unread, false);
    }
}
