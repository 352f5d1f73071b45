//! The system's tools for managing accounts.

use std::path::Path;

use uphold_kit::tool;
use uphold_resource::{Act, Command, Error, ErrorKind, Result};

/// The hint for a missing tool.
const INSTALL: &str =
    "install the package that provides it: `passwd` on Debian, `shadow-utils` on Fedora, `shadow` on Alpine";

/// Messages of the tools, each with a hint.
const ADVICE: [(&str, &str); 3] = [
    (
        "cannot remove the primary group",
        "remove that user first; set its `group` to this group, so that they are removed in that order",
    ),
    ("currently used by process", "stop the user's processes first, as with `loginctl terminate-user NAME`"),
    ("currently logged in", "log the user out first"),
];

/// The end of the message of a tool that could not lock a database.
const NOT_LOCKED: &str = "try again later";

/// The lock files of the databases. They exist only while a tool runs, or after it was killed.
const LOCKS: [&str; 4] = ["/etc/passwd.lock", "/etc/shadow.lock", "/etc/group.lock", "/etc/gshadow.lock"];

/// Runs a tool. `what` describes the action, as in "create the user `ann`".
///
/// # Errors
/// `Rejected` if the tool fails, with its output as the cause and a hint.
pub(crate) fn run(host: &Act<'_>, what: &str, command: &Command) -> Result<()> {
    tool::run(command, &format!("cannot {what}"), host).map(drop).map_err(|error| advise(error, host))
}

fn advise(error: Error, host: &Act<'_>) -> Error {
    if error.kind() == ErrorKind::Missing {
        return error.hint(INSTALL);
    }
    let printed = error.chain();
    if printed.contains(NOT_LOCKED) {
        return match lock(host) {
            Some(lock) => error.hint(format!("another program is changing the accounts; it holds {lock}")),
            None if host.accounts().current_uid() != 0 => error.hint("run Uphold as root"),
            None => error,
        };
    }
    match ADVICE.iter().find(|(words, _)| printed.contains(words)) {
        Some((_, advice)) => error.hint(*advice),
        None => error,
    }
}

/// The first lock file that exists.
fn lock(host: &Act<'_>) -> Option<&'static str> {
    LOCKS.into_iter().find(|lock| host.files().look(Path::new(lock)).is_ok_and(|found| found.is_some()))
}
