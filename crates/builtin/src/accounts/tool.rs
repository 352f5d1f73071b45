//! The system's own tools for accounts.

use uphold_resource::{Act, Command, Error, ErrorKind, Result};

use crate::tool;

/// What to do about a tool that is not there.
const INSTALL: &str =
    "install the package that brings it: `passwd` on Debian, `shadow-utils` on Fedora, `shadow` on Alpine";

/// What the tools say, and what to do about it.
const ADVICE: [(&str, &str); 4] = [
    (
        "cannot remove the primary group",
        "remove that user before: name this group in its block, too, as its `group`",
    ),
    ("currently used by process", "end its processes first, as with `loginctl terminate-user NAME`"),
    ("currently logged in", "log the user out first"),
    (
        "try again later",
        "another program changes the accounts, or one has left a file such as /etc/passwd.lock behind",
    ),
];

/// Runs a tool. `what` is what it does, as in "create the user `ann`".
///
/// # Errors
/// `Rejected` if the tool says no, with what it said as the cause and what to do about it.
pub(crate) fn run(host: &Act<'_>, what: &str, command: &Command) -> Result<()> {
    tool::run(command, &format!("cannot {what}"), host).map(drop).map_err(advise)
}

fn advise(error: Error) -> Error {
    if error.kind() == ErrorKind::Missing {
        return error.hint(INSTALL);
    }
    let said = error.chain();
    match ADVICE.iter().find(|(words, _)| said.contains(words)) {
        Some((_, advice)) => error.hint(*advice),
        None => error,
    }
}
