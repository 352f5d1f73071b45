//! Finding, selecting and running tests.

use std::path::{Path, PathBuf};

#[cfg(feature = "luau")]
use uphold::Engine;
use uphold::model::{Diagnostics, closest};
use uphold::resource::Clock;
use uphold::testing::{Test, TestFile};
use uphold::{LocalHost, in_order, is_test};
use uphold_wire::Format;
use uphold_wire::test_report::TestReport;

use super::report::{NOTHING_RUN, TestReporter, TestResult, is_success, to_wire, to_wire_diagnostics};
use crate::diagnostics::count;
use crate::report::{expect_writable, is_junit, test_report};
use crate::{CliError, Exit, Session, text_files};

/// The files with tests, in the given order; those of a directory are sorted by path. No path means the current
/// directory.
pub(crate) fn find_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    let here = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    let mut files = Vec::new();
    for path in paths {
        let found = text_files::all(path, true, &LocalHost::new())?;
        let is_named = found == [path.clone()];
        let holds_tests = |file: &PathBuf| is_test(&file.to_string_lossy());
        if is_named && !holds_tests(path) && path != Path::new("-") {
            return Err(no_test_file(path));
        }
        files.extend(found.into_iter().filter(|file| is_named || holds_tests(file)));
    }
    if files.is_empty() {
        let shown: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let message = format!("no tests found: no *.test.hcl file in {}", shown.join(", "));
        return Err(CliError::new(message).hint("write one beside the configuration; see docs/testing.md"));
    }
    Ok(files)
}

/// The error of a named file that is no test file.
fn no_test_file(path: &Path) -> CliError {
    let shown = path.display();
    let hint = if path.extension().is_some_and(|extension| extension == "luau") {
        format!("`uphold test --laws {shown}` tests the laws of a kind in Luau")
    } else {
        "tests are in files whose names end in `.test.hcl`".to_owned()
    };
    CliError::new(format!("{shown} is not a test file")).hint(hint)
}

/// Files with tests, and the selected tests.
pub(crate) struct Tests {
    files: Vec<(TestFile, Diagnostics)>,
    /// The indices of the file and of the test in it.
    selected: Vec<(usize, usize)>,
}

impl Tests {
    /// Reads files and selects the tests whose names contain one of the filters; all tests without filters.
    ///
    /// # Errors
    /// If a file cannot be read, or if no test is selected.
    pub(crate) fn read(paths: &[PathBuf], filters: &[String]) -> Result<Self, CliError> {
        let host = LocalHost::new();
        let read =
            |path: &PathBuf| Ok(TestFile::read(path.display().to_string(), text_files::read(path, &host)?));
        let files = paths.iter().map(read).collect::<Result<Vec<_>, CliError>>()?;
        Self::select(files, filters)
    }

    fn select(files: Vec<(TestFile, Diagnostics)>, filters: &[String]) -> Result<Self, CliError> {
        let is_selected =
            |test: &Test| filters.is_empty() || filters.iter().any(|text| test.name.contains(text));
        let mut selected = Vec::new();
        for (number, (file, _)) in files.iter().enumerate().filter(|(_, (_, found))| !found.has_errors()) {
            let tests = file.tests().iter().enumerate().filter(|(_, test)| is_selected(test));
            selected.extend(tests.map(|(test, _)| (number, test)));
        }
        let tests = Self { files, selected };
        if tests.selected.is_empty() && !tests.files.iter().any(|(_, found)| found.has_errors()) {
            return Err(tests.none(filters));
        }
        Ok(tests)
    }

    /// The laws of the kinds that these scripts define, selected in the same way.
    ///
    /// # Errors
    /// If a file does not exist, or if no law is selected.
    #[cfg(feature = "luau")]
    pub(crate) fn laws(paths: &[PathBuf], filters: &[String], engine: &Engine) -> Result<Self, CliError> {
        let host = LocalHost::new();
        let read = |path: &PathBuf| {
            text_files::read(path, &host)?;
            Ok(TestFile::laws(path.display().to_string(), engine))
        };
        let files = paths.iter().map(read).collect::<Result<Vec<_>, CliError>>()?;
        Self::select(files, filters)
    }

    fn none(&self, filters: &[String]) -> CliError {
        let names: Vec<&str> =
            self.files.iter().flat_map(|(file, _)| file.tests()).map(|test| &*test.name).collect();
        match filters {
            _ if names.is_empty() => {
                CliError::new("these files contain no test").hint("write one: `test \"name\" { … }`")
            }
            [] => CliError::new("no tests found"),
            [first, ..] => {
                let near =
                    closest(first, names.iter().copied()).or(names.first().copied()).unwrap_or_default();
                let error = CliError::new(format!("no test name contains {first:?}"));
                error.hint(format!("these files contain {}, such as {near:?}", count(names.len(), "test")))
            }
        }
    }

    /// Runs the tests, reports each, and writes reports.
    pub(crate) fn run(&self, reports: &[PathBuf], session: &mut Session) -> Result<Exit, CliError> {
        reports.iter().try_for_each(|path| expect_writable("report", path))?;
        let mut reporter = TestReporter::new(session);
        let (mut diagnostics, mut tests) = (Vec::new(), Vec::new());
        let mut summary = NOTHING_RUN;
        for (file, found) in self.files.iter().filter(|(_, found)| !found.is_empty()) {
            reporter.diagnostics(file, found, session);
            diagnostics.extend(to_wire_diagnostics(found, &file.sources()));
            summary.unreadable += usize::from(found.has_errors());
        }
        let engine = session.engine_on(LocalHost::new());
        let work = |number: usize| {
            let (file, test) = self.selected[number];
            let file = &self.files[file].0;
            let test = &file.tests()[test];
            let clock = LocalHost::new();
            let began = clock.elapsed();
            let outcome = file.run(test, &engine);
            TestResult { file, test, outcome, took: clock.elapsed().saturating_sub(began) }
        };
        in_order(session.jobs(), self.selected.len(), work, |result| {
            let test = to_wire(&result);
            match test.untested {
                Some(_) => summary.untested += 1,
                None if test.passed => summary.passed += 1,
                None => summary.failed += 1,
            }
            reporter.result(&result, &test, session);
            tests.push(test);
        });
        reporter.end(summary, session);
        let document = TestReport {
            format_version: TestReport::VERSION,
            uphold: env!("CARGO_PKG_VERSION").into(),
            summary,
            diagnostics,
            tests,
        };
        reports.iter().try_for_each(|path| write(path, &document))?;
        Ok(Exit::success_if(is_success(&summary)))
    }
}

fn write(path: &Path, document: &TestReport) -> Result<(), CliError> {
    let text = if is_junit(path) { test_report(document) } else { uphold_wire::document(document) };
    text_files::write(path, &text, &LocalHost::new())
}
