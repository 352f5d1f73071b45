//! The commands of init systems that have no better door.

use uphold_resource::{Act, Command, ErrorKind, Result};

use super::resource::Service;
use crate::tool;

/// A command that has as much time as the service.
pub(super) fn command(service: &Service, program: &str, args: &[&str]) -> Command {
    Command { timeout: Some(service.patience), ..tool::command(program, args.iter().copied()) }
}

/// Runs a command that must succeed; `what` was attempted.
pub(super) fn tell(command: &Command, what: &str, host: &Act<'_>) -> Result<()> {
    tool::run(command, what, host).map(drop).map_err(|error| match error.kind() {
        ErrorKind::TimedOut => error.hint("raise `patience`"),
        _ => error,
    })
}
