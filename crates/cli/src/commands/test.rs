//! `uphold test`.

use std::path::PathBuf;

use crate::testing::{Tests, find_files, refuse};
use crate::{CliError, Exit, Session};

const EXAMPLES: &str = "\
Examples:
  uphold test                              all tests below the current directory
  uphold test web.test.hcl -v              the tests of one file, with the changes of each run
  uphold test --filter nginx               tests with `nginx` in their names
  uphold test --report tests.xml           write a JUnit report for CI";

/// Run the tests of a configuration in memory
///
/// A test is a block in a *.test.hcl file: the state of the machine before, and the expected changes. Each test runs on
/// its own machine in memory, so this machine is not touched. Tests run in parallel and are reported in written order.
///
/// Exit code 0: all tests passed. 1: a test failed, or no test was found.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TestArgs {
    /// Files, or directories searched recursively for *.test.hcl files [default: .]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Run only tests whose names contain this; can be repeated
    #[arg(long = "filter", value_name = "TEXT")]
    filters: Vec<String>,
    /// Write a report, JUnit for *.xml, otherwise JSON; can be repeated
    #[arg(long = "report", value_name = "FILE")]
    reports: Vec<PathBuf>,
}

pub(crate) fn run(args: &TestArgs, session: &mut Session) -> Result<Exit, CliError> {
    let tests = find_files(&args.paths).and_then(|files| Tests::read(&files, &args.filters));
    match tests.and_then(|tests| tests.run(&args.reports, session)) {
        Err(error) if session.flags.json => {
            refuse(&error, session);
            Ok(Exit::Failure)
        }
        ended => ended,
    }
}
