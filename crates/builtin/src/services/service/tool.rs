//! Running the commands of init systems.

use uphold_kit::tool;
use uphold_resource::{Act, Command, ErrorKind, Result};

use super::resource::Service;

/// A command with the time limit of the service.
pub(super) fn command(service: &Service, program: &str, args: &[&str]) -> Command {
    Command { timeout: Some(service.operation_timeout), ..tool::command(program, args.iter().copied()) }
}

/// Runs a command that must succeed. `what` describes the failure.
pub(super) fn run(command: &Command, what: &str, host: &Act<'_>) -> Result<()> {
    tool::run(command, what, host).map(drop).map_err(|error| match error.kind() {
        ErrorKind::TimedOut => error.hint("raise `operation_timeout` if the service needs more time"),
        _ => error,
    })
}
