//! `uphold apply`.

use uphold::Mode;

use crate::error::CliError;
use crate::exit::Exit;
use crate::input::Input;
use crate::run;
use crate::session::Session;

/// Make the machine as it is declared
///
/// Only what differs is changed, in the order of the dependencies, and each change is looked at
/// again. What fails keeps only those back that stand on it.
///
/// Exit code 0 says that everything is as declared now, 1 that something is wrong.
#[derive(Debug, clap::Args)]
pub(crate) struct ApplyArgs {
    /// On what.
    #[command(flatten)]
    input: Input,
}

/// Runs it.
pub(crate) fn run(args: &ApplyArgs, session: &mut Session) -> Result<Exit, CliError> {
    let summary = run::run(&args.input, session, Mode::Apply);
    Ok(if summary.is_some_and(|summary| summary.is_success()) { Exit::Success } else { Exit::Failure })
}
