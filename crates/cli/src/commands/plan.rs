//! `uphold plan`.

use uphold::{Mode, Summary};

use crate::error::CliError;
use crate::exit::Exit;
use crate::input::Input;
use crate::run;
use crate::session::Session;

/// Show what differs between the machine and the configuration, and why
///
/// Nothing is changed. Queries and the checks of tasks do run, because they only look.
///
/// The signs: + is created, ~ is changed, - is removed, ! runs, ? may change, which only the
/// run of something before it will tell.
///
/// Exit code 0 says that there is nothing to do, 2 that there are changes to make, 1 that
/// something is wrong.
#[derive(Debug, clap::Args)]
pub(crate) struct PlanArgs {
    /// On what.
    #[command(flatten)]
    input: Input,
}

/// Runs it.
pub(crate) fn run(args: &PlanArgs, session: &mut Session) -> Result<Exit, CliError> {
    let summary = run::run(&args.input, session, Mode::Plan);
    Ok(summary.map_or(Exit::Failure, exit))
}

fn exit(summary: Summary) -> Exit {
    match (summary.is_success(), summary.changed) {
        (false, _) => Exit::Failure,
        (true, 0) => Exit::Success,
        (true, _) => Exit::Pending,
    }
}
