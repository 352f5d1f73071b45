//! `uphold validate`.

use crate::error::CliError;
use crate::exit::Exit;
use crate::input::Input;
use crate::run;
use crate::session::Session;

/// Check the configuration without looking at the machine
///
/// All mistakes are shown at once, each with its place and a fix. What depends on the machine is
/// not checked here: see plan.
#[derive(Debug, clap::Args)]
pub(crate) struct ValidateArgs {
    /// On what.
    #[command(flatten)]
    input: Input,
}

/// Runs it.
pub(crate) fn run(args: &ValidateArgs, session: &mut Session) -> Result<Exit, CliError> {
    Ok(run::validate(&args.input, session))
}
