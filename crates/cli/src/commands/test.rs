//! `uphold test`.

use std::path::PathBuf;

#[cfg(feature = "luau")]
use uphold::LocalHost;

use crate::testing::{Tests, find_files, refuse};
use crate::{CliError, Exit, Session};

const EXAMPLES: &str = "\
Examples:
  uphold test                              all tests below the current directory
  uphold test web.test.hcl -v              the tests of one file, with the changes of each run
  uphold test --filter nginx               tests with `nginx` in their names
  uphold test --report tests.xml           write a JUnit report for CI
  uphold test --laws kinds/site.luau       the laws that every kind must keep, for a kind in Luau";

/// Run the tests of a configuration in memory
///
/// A test is a block in a *.test.hcl file: the state of the machine before, and the expected changes. Each test runs on
/// its own machine in memory, so this machine is not touched. Tests run in parallel and are reported in written order.
///
/// Exit code 0: all tests passed. 1: a test failed, or no test was found.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TestArgs {
    /// Files, or directories searched recursively for *.test.hcl files [default: .]; with --laws, Luau files
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Test the laws of the kinds in these Luau files
    ///
    /// Each law that every kind must keep is a test, on a machine in memory, with the examples of the kind: `laws = {
    /// examples = { … } }` in its file.
    #[cfg(feature = "luau")]
    #[arg(long, requires = "paths")]
    laws: bool,
    /// Run only tests whose names contain this; can be repeated
    #[arg(long = "filter", value_name = "TEXT")]
    filters: Vec<String>,
    /// Write a report, JUnit for *.xml, otherwise JSON; can be repeated
    #[arg(long = "report", value_name = "FILE")]
    reports: Vec<PathBuf>,
}

fn tests(
    args: &TestArgs,
    #[cfg_attr(not(feature = "luau"), expect(unused_variables, reason = "only the laws need the engine"))]
    session: &Session,
) -> Result<Tests, CliError> {
    #[cfg(feature = "luau")]
    if args.laws {
        return Tests::laws(&args.paths, &args.filters, &session.engine_on(LocalHost::new()));
    }
    find_files(&args.paths).and_then(|files| Tests::read(&files, &args.filters))
}

pub(crate) fn run(args: &TestArgs, session: &mut Session) -> Result<Exit, CliError> {
    match tests(args, session).and_then(|tests| tests.run(&args.reports, session)) {
        Err(error) if session.flags.json => {
            refuse(&error, session);
            Ok(Exit::Failure)
        }
        ended => ended,
    }
}
