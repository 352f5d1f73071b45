//! The system's own tools: what changes a machine knows best how to do so.

use uphold_resource::{Command, Error, ErrorKind, Host, Observe, Output, Result};

use crate::complaint::complaint;

/// The tool `program` with these arguments. It speaks no language but the one that can be read.
pub(crate) fn command<A: Into<String>>(program: &str, args: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(program, args);
    command.env.insert("LC_ALL".to_owned(), "C".to_owned());
    command
}

/// Runs a tool that changes something. `what` is told if it fails, as in "cannot mount /srv".
///
/// # Errors
/// If it cannot be started, or does not end well; with what it said last.
pub(crate) fn run(command: &Command, what: &str, host: &dyn Host) -> Result<Output> {
    let output = host.commands().run(command).map_err(|error| error.while_(what))?;
    must_succeed(output, &command.program, what)
}

/// Runs a tool that only looks, in a plan, too. How it ended is in the output.
///
/// # Errors
/// If it cannot be started.
pub(crate) fn probe(command: &Command, what: &str, host: &dyn Observe) -> Result<Output> {
    host.probes().probe(command).map_err(|error| error.while_(what))
}

/// Fails unless a tool ended well.
pub(crate) fn must_succeed(output: Output, program: &str, what: &str) -> Result<Output> {
    if output.success() {
        return Ok(output);
    }
    let said = complaint(&output, &Default::default());
    let why = said.unwrap_or_else(|| format!("{program} ended with {:?} and said nothing", output.exit));
    Err(Error::new(ErrorKind::Rejected, what).because(why))
}
