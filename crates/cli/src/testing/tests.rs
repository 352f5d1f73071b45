//! Tests to be run.

use std::path::{Path, PathBuf};

use uphold::model::{Diagnostics, closest};
use uphold::resource::Clock;
use uphold::testing::{Test, TestFile};
use uphold::{LocalHost, in_order};
use uphold_wire::Format;
use uphold_wire::test_report::TestReport;

use super::result::{Tally, TestResult};
use super::telling::Telling;
use super::{document, junit};
use crate::error::CliError;
use crate::exit::Exit;
use crate::hcl_files;
use crate::report::expect_writable;
use crate::session::Session;

/// Files of tests, and which of the tests are wanted.
pub(crate) struct Tests {
    files: Vec<(TestFile, Diagnostics)>,
    /// The number of its file, and its own.
    chosen: Vec<(usize, usize)>,
}

impl Tests {
    /// Reads files, and chooses the tests whose names have one of these texts in them; all of them without any.
    ///
    /// # Errors
    /// If a file cannot be read, or if no test is chosen.
    pub(crate) fn read(paths: &[PathBuf], filters: &[String]) -> Result<Self, CliError> {
        let host = LocalHost::new();
        let read =
            |path: &PathBuf| Ok(TestFile::read(path.display().to_string(), hcl_files::read(path, &host)?));
        let files = paths.iter().map(read).collect::<Result<Vec<_>, CliError>>()?;
        let is_chosen =
            |test: &Test| filters.is_empty() || filters.iter().any(|text| test.name.contains(text));
        let mut chosen = Vec::new();
        for (number, (file, _)) in files.iter().enumerate().filter(|(_, (_, found))| !found.has_errors()) {
            let tests = file.tests().iter().enumerate().filter(|(_, test)| is_chosen(test));
            chosen.extend(tests.map(|(test, _)| (number, test)));
        }
        let tests = Self { files, chosen };
        if tests.chosen.is_empty() && !tests.files.iter().any(|(_, found)| found.has_errors()) {
            return Err(tests.none(filters));
        }
        Ok(tests)
    }

    fn none(&self, filters: &[String]) -> CliError {
        let names: Vec<&str> =
            self.files.iter().flat_map(|(file, _)| file.tests()).map(|test| &*test.name).collect();
        match filters {
            _ if names.is_empty() => CliError::new("there is no test in these files")
                .hint("write one: `test \"what it shows\" { … }`"),
            [] => CliError::new("there is no test"),
            [first, ..] => {
                let near =
                    closest(first, names.iter().copied()).or(names.first().copied()).unwrap_or_default();
                let error = CliError::new(format!("no test has {first:?} in its name"));
                error.hint(format!(
                    "there are {}, such as {near:?}",
                    crate::diagnostics::count(names.len(), "test")
                ))
            }
        }
    }

    /// Runs them, tells about each, and writes reports.
    ///
    /// # Errors
    /// If a report cannot be written.
    pub(crate) fn run(&self, reports: &[PathBuf], session: &mut Session) -> Result<Exit, CliError> {
        reports.iter().try_for_each(|path| expect_writable("report", path))?;
        let mut telling = Telling::new(session);
        let (mut diagnostics, mut tests) = (Vec::new(), Vec::new());
        let mut tally = Tally::default();
        for (file, found) in self.files.iter().filter(|(_, found)| !found.is_empty()) {
            telling.mistakes(file, found, session);
            diagnostics.extend(document::mistakes(found, &file.sources()));
            tally.unreadable += usize::from(found.has_errors());
        }
        let engine = session.engine_on(LocalHost::new());
        let work = |number: usize| {
            let (file, test) = self.chosen[number];
            let file = &self.files[file].0;
            let test = &file.tests()[test];
            let clock = LocalHost::new();
            let began = clock.elapsed();
            let outcome = file.run(test, &engine);
            TestResult { file, test, outcome, took: clock.elapsed().saturating_sub(began) }
        };
        in_order(session.jobs(), self.chosen.len(), work, |result| {
            tally.count(result.outcome.passed());
            let test = document::test(&result);
            telling.result(&result, &test, session);
            tests.push(test);
        });
        telling.end(&tally, session);
        let document = TestReport {
            format_version: TestReport::VERSION,
            uphold: env!("CARGO_PKG_VERSION").into(),
            summary: document::summary(&tally),
            diagnostics,
            tests,
        };
        reports.iter().try_for_each(|path| write(path, &document))?;
        Ok(if tally.is_success() { Exit::Success } else { Exit::Failure })
    }
}

/// JUnit if the name says so, else JSON.
fn write(path: &Path, document: &TestReport) -> Result<(), CliError> {
    let text = match path.extension().is_some_and(|end| end.eq_ignore_ascii_case("xml")) {
        true => junit::text(document),
        false => uphold_wire::document(document),
    };
    hcl_files::write(path, &text, &LocalHost::new())
}
