//! Users, groups and SSH authorized keys.

mod authorized_key;
mod database;
mod date;
mod group;
mod membership;
mod path;
mod user;

use std::path::Path;

use uphold_kit::tool;
use uphold_resource::{Act, Command, Error, ErrorKind, Result, Value};

pub use authorized_key::{
    AuthorizedKey, AuthorizedKeyChange, AuthorizedKeyGoal, AuthorizedKeyState, AuthorizedKeyWishes,
    KeyOptions, LoginKey,
};
pub use date::Date;
pub use group::{Group, GroupChange, GroupGoal, GroupState, GroupWishes};
pub use membership::{GroupSet, Membership, UserSet};
pub use path::AccountPath;
pub use user::{User, UserChange, UserGoal, UserState, UserWishes};

// Account names: which ones can be created, and which ones may exist.

/// The maximum length that the account databases and `utmp` have room for.
const LONGEST: usize = 32;

/// Whether an account with this name can be created. Stricter than `is_usable`: all tools accept these names.
pub(crate) fn is_new(value: &Value) -> bool {
    matches!(value, Value::Text(name) if is_portable(name))
}

fn is_portable(name: &str) -> bool {
    let body = name.strip_suffix('$').unwrap_or(name);
    let begins = body.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let holds = body.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c));
    begins && holds && name.len() <= LONGEST
}

/// Whether an account with this name may exist.
pub(crate) fn is_usable(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('-')
        && name.chars().all(|c| !c.is_control() && !c.is_whitespace() && !":/,".contains(c))
}

/// Whether the string fits into a field of the account databases.
pub(crate) fn is_field(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.contains([':', '\n', '\r', '\0']))
}

// The system's tools for managing accounts.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_names() {
        let check = |name: &str, expected: bool| assert_eq!(is_new(&Value::text(name)), expected, "{name}");
        check("ann", true);
        check("_apt", true);
        check("web.app-2_x", true);
        check("HOST$", true);
        check(&"a".repeat(32), true);
        check(&"a".repeat(33), false);
        check("", false);
        check("$", false);
        check("1ann", false);
        check("-ann", false);
        check(".ann", false);
        check("ann x", false);
        check("ann:x", false);
        check("änn", false);
        check("a$b", false);
    }

    #[test]
    fn fields() {
        let check = |text: &str, expected: bool| assert_eq!(is_field(&Value::text(text)), expected, "{text}");
        check("Änn, Room 7", true);
        check("", true);
        check("a:b", false);
        check("a\nb", false);
    }
}
