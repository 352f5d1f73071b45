//! Running the programs of a package manager.

use std::time::Duration;

use uphold_kit::tool;
pub(crate) use uphold_kit::tool::run;
use uphold_resource::{Act, Command, Output, Reading, Result};

/// An unprivileged user: read-only commands run as this user cannot write.
const NOBODY: (u32, u32) = (65534, 65534);

/// Runs a program that does not wait for a lock by itself: it is run again until the lock is free or `patience` has
/// passed.
pub(crate) fn run_when_unlocked(
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
        // Waits with a command, so that it ends when the run is interrupted.
        host.run(&Command::new("sleep", ["0.3"]))?;
    }
}

/// Recognises the lock messages of apt and dpkg.
fn is_locked_out(output: &Output) -> bool {
    let printed = String::from_utf8_lossy(&output.stderr);
    !output.success()
        && ["Could not get lock", "lock was locked by another"].iter().any(|words| printed.contains(words))
}

/// Runs a read-only command, and returns its output whatever its status.
///
/// As root, even `apt-cache` writes to its cache, so it is run as an unprivileged user.
pub(crate) fn probe(command: Command, host: &Reading<'_>) -> Result<Output> {
    let run_as = (host.accounts().current_uid() == 0).then_some(NOBODY);
    host.probe(&Command { run_as, ..command })
}

/// `program` with an environment that disables prompts and makes its output parseable.
pub(crate) fn command<A: Into<String>>(program: &str, args: impl IntoIterator<Item = A>) -> Command {
    let mut command = tool::command(program, args);
    let quiet = [("DEBIAN_FRONTEND", "noninteractive"), ("APT_LISTCHANGES_FRONTEND", "none")];
    command.env.extend(quiet.map(|(name, value)| (name.to_owned(), value.to_owned())));
    command
}

/// The duration in whole seconds, as all programs take it.
pub(crate) fn seconds(span: Duration) -> String {
    span.as_secs().to_string()
}
