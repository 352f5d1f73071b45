//! `uphold test`.

use std::path::PathBuf;

use crate::error::CliError;
use crate::exit::Exit;
use crate::session::Session;
use crate::testing::{Search, Tests, refuse};

const EXAMPLES: &str = "\
Examples:
  uphold test                              all tests below the current directory
  uphold test web.test.hcl -v              those of one file, with what each run does
  uphold test --filter nginx               those with nginx in their names
  uphold test --report tests.xml           for a CI, as JUnit";

/// Run the tests of a configuration, on a machine in memory
///
/// A test is a block in a file whose name ends in .test.hcl: what the machine is like before, and
/// what is expected to change. Nothing of this machine is touched. Tests run at the same time,
/// each on a machine of its own, and are told in written order.
///
/// Exit code 0 says that all passed, 1 that one did not, or that there is none.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TestArgs {
    /// Files, or directories with *.test.hcl files at any depth; the current directory unless set
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only tests with this in their names; can be repeated
    #[arg(long = "filter", value_name = "TEXT")]
    filters: Vec<String>,
    /// Write a report: JUnit if the name ends in .xml, else JSON; can be repeated
    #[arg(long = "report", value_name = "FILE")]
    reports: Vec<PathBuf>,
}

/// Runs it.
pub(crate) fn run(args: &TestArgs, session: &mut Session) -> Result<Exit, CliError> {
    let tests = Search { paths: &args.paths }.files().and_then(|files| Tests::read(&files, &args.filters));
    match tests.and_then(|tests| tests.run(&args.reports, session)) {
        Err(error) if session.flags.json => {
            refuse(&error, session);
            Ok(Exit::Failure)
        }
        ended => ended,
    }
}
