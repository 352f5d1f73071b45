//! The system's own tools for accounts.

use std::collections::BTreeMap;

use uphold_resource::{Command, Error, ErrorKind, Host, Result};

use crate::complaint::complaint;

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
/// `Rejected` if the tool says no, with what it said as the cause.
pub(crate) fn run(host: &dyn Host, what: &str, command: Command) -> Result<()> {
    let spoken = BTreeMap::from([("LC_ALL".to_owned(), "C".to_owned())]);
    let command = Command { env: spoken, ..command };
    let output = host.commands().run(&command).map_err(|error| match error.kind() {
        ErrorKind::Missing => error.while_(format!("cannot {what}")).hint(INSTALL),
        _ => error,
    })?;
    if output.success() {
        return Ok(());
    }
    let said =
        complaint(&output, &BTreeMap::new()).unwrap_or_else(|| format!("`{}` failed", command.program));
    let advice = ADVICE.iter().find(|(words, _)| said.contains(words)).map(|(_, advice)| *advice);
    let error = Error::new(ErrorKind::Rejected, format!("cannot {what}")).because(said);
    Err(match advice {
        Some(advice) => error.hint(advice),
        None => error,
    })
}
