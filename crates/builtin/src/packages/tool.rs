//! Running the programs of a package manager.

use std::collections::BTreeMap;
use std::time::Duration;

use uphold_resource::{Command, Error, ErrorKind, Exit, Host, Observe, Output, Result};

use crate::complaint::complaint;

/// Nobody in particular: a look that runs as this user cannot write.
const NOBODY: (u32, u32) = (65534, 65534);

/// Runs a command that changes something, and fails with what it said.
pub(crate) fn run(what: &str, command: &Command, host: &dyn Host) -> Result<Output> {
    let output = host.commands().run(command);
    expect(what, command, output.map_err(|error| error.while_(what.to_owned()))?)
}

/// The same for a program that does not wait for a lock by itself: it is run again until the lock is free, or until `patience`
/// ends.
pub(crate) fn run_patiently(
    what: &str,
    command: &Command,
    patience: Duration,
    host: &dyn Host,
) -> Result<Output> {
    let started = host.clock().elapsed();
    loop {
        let output = host.commands().run(command).map_err(|error| error.while_(what.to_owned()))?;
        if !is_locked_out(&output) || host.clock().elapsed() - started > patience {
            return expect(what, command, output);
        }
        // A command, so that whoever stops the run need not wait for it.
        host.commands().run(&Command::new("sleep", ["0.3"]))?;
    }
}

/// In the words of apt and of dpkg.
fn is_locked_out(output: &Output) -> bool {
    let said = String::from_utf8_lossy(&output.stderr);
    !output.success()
        && ["Could not get lock", "lock was locked by another"].iter().any(|words| said.contains(words))
}

/// Runs a command that only looks. Whatever it ends with is an answer.
///
/// Run as root, even `apt-cache` writes what it found out to its cache; so it is run as nobody.
pub(crate) fn probe(command: Command, host: &dyn Observe) -> Result<Output> {
    let run_as = (host.accounts().current_uid() == 0).then_some(NOBODY);
    host.probes().probe(&Command { run_as, ..command })
}

fn expect(what: &str, command: &Command, output: Output) -> Result<Output> {
    let ended = match output.exit {
        Exit::Code(0) => return Ok(output),
        Exit::Code(code) => format!("{} exited with status {code}", command.program),
        Exit::Signal(signal) => format!("{} was ended by signal {signal}", command.program),
        Exit::TimedOut => format!("{} took too long, and was killed", command.program),
    };
    let said = complaint(&output, &secrets(command)).map_or(ended.clone(), |said| format!("{ended}: {said}"));
    Err(Error::new(ErrorKind::Rejected, what.to_owned()).because(said))
}

/// What is set by us is no secret, and would only garble what was said.
fn secrets(command: &Command) -> BTreeMap<String, String> {
    let own = |name: &str| matches!(name, "LC_ALL" | "DEBIAN_FRONTEND" | "APT_LISTCHANGES_FRONTEND");
    command
        .env
        .iter()
        .filter(|(name, _)| !own(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// `program` with an environment in which it asks nothing, and answers in English.
pub(crate) fn command<A: Into<String>>(program: &str, args: impl IntoIterator<Item = A>) -> Command {
    let mut command = crate::tool::command(program, args);
    let quiet = [("DEBIAN_FRONTEND", "noninteractive"), ("APT_LISTCHANGES_FRONTEND", "none")];
    command.env.extend(quiet.map(|(name, value)| (name.to_owned(), value.to_owned())));
    command
}

/// As whole seconds, as all programs take it.
pub(crate) fn seconds(span: Duration) -> String {
    span.as_secs().to_string()
}
