//! `uphold validate`.

use crate::run::{check, reporter};
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
    let mut report = reporter(session, false);
    let input = &args.input;
    let read = session.engine().and_then(|engine| input.read(input.reader(&engine)));
    Ok(match read.and_then(|configuration| check(configuration, session, &mut *report)) {
        Ok(Some(checked)) => {
            checked.keep_until_exit();
            report.valid(checked.program(), &mut session.ui);
            Exit::Success
        }
        Ok(None) => Exit::Failure,
        Err(error) => {
            report.error(&error, &mut session.ui);
            Exit::Failure
        }
    })
}
