//! The results of tests, for people and as JSON lines: `docs/testing.md` specifies the JSON.

use std::time::Duration;

use uphold::model::{Diagnostics, Sources};
use uphold::resource::Clock;
use uphold::testing::{Mismatch, Outcome, Test, TestFile};
use uphold::{EventKind, Lines, LocalHost, Mode, sorted};
use uphold_wire::stream::{Level, Line};
use uphold_wire::test_report::{self as wire, TestEvent, TestReport, TestSummary};
use uphold_wire::{Diagnostic, Format};

use crate::diagnostics::{self, count};
use crate::report::wire::{diagnostic, error as error_diagnostic, place, timestamp};
use crate::report::{ActionHistory, FinishedAction, Scene, TextChange, To};
use crate::time_text::{self, milliseconds};
use crate::{CliError, Paint, Session, Ui, clean};

/// The summary before the first test.
pub(crate) const NOTHING_RUN: TestSummary = TestSummary { failed: 0, passed: 0, unreadable: 0, untested: 0 };

/// A finished test.
pub(crate) struct TestResult<'a> {
    pub(crate) file: &'a TestFile,
    pub(crate) test: &'a Test,
    pub(crate) outcome: Outcome,
    pub(crate) took: Duration,
}

/// Whether all tests were run and passed.
pub(crate) fn is_success(summary: &TestSummary) -> bool {
    summary.failed == 0 && summary.unreadable == 0
}

/// `3 tests: 2 passed, 1 failed.`
fn sentence(summary: &TestSummary) -> String {
    let TestSummary { passed, failed, unreadable, untested } = summary;
    let tests = count(passed + failed + untested, "test");
    let untested = if *untested == 0 { String::new() } else { format!(", {untested} not tested") };
    let unreadable = match unreadable {
        0 => String::new(),
        some => format!("; {} not run, because of errors", count(*some, "file")),
    };
    format!("{tests}: {passed} passed, {failed} failed{untested}{unreadable}.")
}

/// The diagnostics of a file of tests, for JSON.
pub(crate) fn to_wire_diagnostics(found: &Diagnostics, sources: &Sources) -> Vec<Diagnostic> {
    let mut lines = Lines::new(sources);
    sorted(found).into_iter().map(|one| diagnostic(one, &mut lines)).collect()
}

/// A finished test, for JSON.
pub(crate) fn to_wire(result: &TestResult<'_>) -> wire::Test {
    let mut lines = Lines::new(&result.outcome.sources);
    let mismatches = result.outcome.mismatches.iter();
    wire::Test {
        location: result.test.place.map(|at| place(at, &mut lines)),
        mismatches: mismatches.map(|mismatch| self::mismatch(mismatch, &mut lines)).collect(),
        file: result.file.name().to_owned(),
        passed: result.outcome.passed() && result.outcome.untested.is_none(),
        untested: result.outcome.untested.map(Into::into),
        test: result.test.name.to_string(),
        duration_ms: milliseconds(result.took),
    }
}

/// A diagnostic, and the two texts that should be equal.
fn mismatch(mismatch: &Mismatch, lines: &mut Lines<'_>) -> wire::Mismatch {
    let Diagnostic { code, detail, fix, location, related, severity, summary } =
        diagnostic(&mismatch.diagnostic, lines);
    let (expected, actual) = mismatch.texts.clone().unzip();
    wire::Mismatch { actual, code, detail, expected, fix, location, related, severity, summary }
}

/// Reports tests in declared order, as text or as JSON lines.
pub(crate) struct TestReporter {
    json: bool,
    quiet: bool,
    verbose: bool,
    /// The file of the last test.
    file: String,
    /// Whether the last line is empty.
    ends_empty: bool,
}

impl TestReporter {
    pub(crate) fn new(session: &mut Session) -> Self {
        let flags = &session.flags;
        let reporter = Self {
            json: flags.json,
            quiet: flags.quiet,
            verbose: flags.verbose,
            file: String::new(),
            ends_empty: false,
        };
        if reporter.json {
            let version = env!("CARGO_PKG_VERSION");
            let event = TestEvent::Version { format_version: TestReport::VERSION, uphold: version.into() };
            session.ui.json_line(&line(Level::Info, &format!("Uphold {version}"), event));
        }
        reporter
    }

    /// Reports the diagnostics of a file.
    pub(crate) fn diagnostics(&mut self, file: &TestFile, found: &Diagnostics, session: &mut Session) {
        let sources = file.sources();
        if !self.json {
            return diagnostics::show_each(found, &sources, !self.quiet, &mut session.ui);
        }
        for diagnostic in to_wire_diagnostics(found, &sources) {
            let message = format!("{}: {}", diagnostic.summary, diagnostic.detail);
            session.ui.json_line(&line(Level::Error, &message, TestEvent::Diagnostic { diagnostic }));
        }
    }

    /// Reports a finished test.
    pub(crate) fn result(&mut self, result: &TestResult<'_>, test: &wire::Test, session: &mut Session) {
        if self.json {
            let (level, word) = match test.untested {
                Some(_) => (Level::Info, "not tested"),
                None if test.passed => (Level::Info, "passed"),
                None => (Level::Error, "failed"),
            };
            let message = format!("{}: {word}", test.test);
            let event = TestEvent::TestFinished(test.clone());
            return session.ui.json_line(&line(level, &message, event));
        }
        let text = self.text(result, &session.ui);
        session.ui.data(text);
        session.ui.flush();
    }

    fn text(&mut self, result: &TestResult<'_>, ui: &Ui) -> String {
        let (paint, passed) = (ui.data_paint(), result.outcome.passed());
        if passed && self.quiet {
            return String::new();
        }
        let mut text = String::new();
        if self.file != result.file.name() {
            self.file = result.file.name().to_owned();
            text += &format!("{}\n", paint.strong(clean(&self.file)));
        }
        let name = clean(&result.test.name);
        let took = format!("   {}", paint.faint(format_args!("({})", time_text::words(result.took))));
        let took = if self.verbose { took } else { String::new() };
        if let Some(why) = result.outcome.untested {
            text += &format!("  --    {name}   {}{took}\n", paint.faint(format_args!("({why})")));
        } else if passed {
            text += &format!("  {}    {name}{took}\n", paint.added("ok"));
        } else {
            text += &format!("  {}  {name}{took}\n", paint.error("FAIL"));
            let mut lines = Lines::new(&result.outcome.sources);
            for mismatch in &result.outcome.mismatches {
                text += &format!("\n{}", self.mismatch(mismatch, &mut lines, paint));
            }
        }
        self.ends_empty = !passed || self.verbose;
        if self.ends_empty {
            text += &self.changes(result, ui);
        }
        text
    }

    fn mismatch(&self, mismatch: &Mismatch, lines: &mut Lines<'_>, paint: Paint) -> String {
        let mut text = uphold::render(&mismatch.diagnostic, lines, paint.is_on()) + "\n";
        if let Some((expected, found)) = &mismatch.texts {
            let both = format!("{}, {}:", paint.removed("- expected"), paint.added("+ found"));
            let about = if expected.is_empty() { "found:".to_owned() } else { both };
            let change = TextChange { paint, verbose: self.verbose };
            text += &format!("      {about}\n{}", change.lines(expected, found));
        }
        text
    }

    /// The changes of the run.
    fn changes(&self, result: &TestResult<'_>, ui: &Ui) -> String {
        let Some(program) = &result.outcome.program else { return "\n".to_owned() };
        let mut scene = Scene::new(program, &result.outcome.sources);
        let mut text = String::new();
        for event in &result.outcome.events {
            let EventKind::Finished { resource, action, cause, verdict, .. } = &event.kind else { continue };
            let history = ActionHistory::default();
            let finished = FinishedAction {
                resource,
                action,
                cause,
                verdict,
                mode: Mode::Apply,
                took: None,
                history: &history,
            };
            match finished.lines(false, self.verbose, &mut scene, ui) {
                To::Data(shown) | To::Talk(shown) => text += &shown,
                To::Nowhere => {}
            }
        }
        let indented: String = text.lines().map(|line| format!("    {line}\n")).collect();
        if indented.is_empty() {
            return "\n      The run changed nothing.\n\n".to_owned();
        }
        format!("\n      The run:\n{indented}\n")
    }

    /// Reports the totals.
    pub(crate) fn end(&self, summary: TestSummary, session: &mut Session) {
        if self.json {
            let error = !is_success(&summary);
            let level = if error { Level::Error } else { Level::Info };
            let event = TestEvent::TestsFinished { summary, error };
            session.ui.json_line(&line(level, &sentence(&summary), event));
        } else if !self.quiet {
            let gap = if self.ends_empty { "" } else { "\n" };
            session.ui.data(format_args!("{gap}{}\n", sentence(&summary)));
        }
    }
}

/// Reports as JSON an error because of which no test was run or no report was written.
pub(crate) fn refuse(error: &CliError, session: &mut Session) {
    let event = TestEvent::Diagnostic { diagnostic: error_diagnostic(error) };
    session.ui.json_line(&line(Level::Error, &error.message, event));
    let event = TestEvent::TestsFinished { summary: NOTHING_RUN, error: true };
    session.ui.json_line(&line(Level::Error, &error.message, event));
}

fn line(level: Level, message: &str, event: TestEvent) -> Line<TestEvent> {
    Line { level, message: message.to_owned(), timestamp: timestamp(LocalHost::new().now()), event }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summarises_tests() {
        let check = |passed, failed, unreadable, expected: &str, success| {
            let summary = TestSummary { passed, failed, unreadable, untested: 0 };
            assert_eq!((&*sentence(&summary), is_success(&summary)), (expected, success));
        };
        check(1, 0, 0, "1 test: 1 passed, 0 failed.", true);
        check(2, 1, 0, "3 tests: 2 passed, 1 failed.", false);
        let unread = "2 tests: 2 passed, 0 failed; 1 file not run, because of errors.";
        check(2, 0, 1, unread, false);
        let untested = TestSummary { passed: 2, untested: 1, ..NOTHING_RUN };
        assert_eq!(sentence(&untested), "3 tests: 2 passed, 0 failed, 1 not tested.");
        assert!(is_success(&untested));
    }
}
