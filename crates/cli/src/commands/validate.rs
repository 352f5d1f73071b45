//! `uphold validate`.

use crate::run;
use crate::{CliError, Exit, Input, Session};

/// Check the configuration without reading the machine
///
/// All errors are shown at once, each with its position and a fix. `uphold plan` checks what depends on the machine.
#[derive(Debug, clap::Args)]
pub(crate) struct ValidateArgs {
    #[command(flatten)]
    input: Input,
}

pub(crate) fn run(args: &ValidateArgs, session: &mut Session) -> Result<Exit, CliError> {
    Ok(run::validate(&args.input, session))
}
