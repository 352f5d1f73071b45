//! Running the programs of a package manager.

use std::time::Duration;

use uphold_resource::{Act, Command, Output, Reading, Result};

use crate::tool;
pub(crate) use crate::tool::run;

/// Nobody in particular: a look that runs as this user cannot write.
const NOBODY: (u32, u32) = (65534, 65534);

/// Runs a program that changes something and does not wait for a lock by itself: it is run again until the lock is free, or until `patience`
/// ends.
pub(crate) fn run_patiently(
    command: &Command,
    what: &str,
    patience: Duration,
    host: &Act<'_>,
) -> Result<Output> {
    let started = host.clock().elapsed();
    loop {
        let output = host.run(command).map_err(|error| error.while_(what))?;
        if !is_locked_out(&output) || host.clock().elapsed() - started > patience {
            return tool::expect(output, command, what);
        }
        // A command, so that whoever stops the run need not wait for it.
        host.run(&Command::new("sleep", ["0.3"]))?;
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
pub(crate) fn probe(command: Command, host: &Reading<'_>) -> Result<Output> {
    let run_as = (host.accounts().current_uid() == 0).then_some(NOBODY);
    host.probe(&Command { run_as, ..command })
}

/// `program` with an environment in which it asks nothing, and answers in English.
pub(crate) fn command<A: Into<String>>(program: &str, args: impl IntoIterator<Item = A>) -> Command {
    let mut command = tool::command(program, args);
    let quiet = [("DEBIAN_FRONTEND", "noninteractive"), ("APT_LISTCHANGES_FRONTEND", "none")];
    command.env.extend(quiet.map(|(name, value)| (name.to_owned(), value.to_owned())));
    command
}

/// As whole seconds, as all programs take it.
pub(crate) fn seconds(span: Duration) -> String {
    span.as_secs().to_string()
}
