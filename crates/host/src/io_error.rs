//! Errors of system calls on paths.

use std::io;
use std::path::Path;

use uphold_resource::{Error, User};

use crate::account_table::{AccountTable, Key};

/// The error of a system call: `what` is its verb, as in "cannot `what` `path`". If permission is denied, a hint names the
/// user that Uphold runs as.
pub(crate) fn io_error(what: &str, path: &Path, source: io::Error) -> Error {
    let is_denied = source.kind() == io::ErrorKind::PermissionDenied;
    let error = Error::io(what, path, source);
    let is_root = rustix::process::geteuid().is_root();
    if is_denied && !is_root { error.hint(hint(&current_user(), path)) } else { error }
}

/// The user that Uphold runs as, such as `ada (uid 1000)`.
pub(crate) fn current_user() -> String {
    user(rustix::process::geteuid().as_raw())
}

fn hint(user: &str, path: &Path) -> String {
    format!("Uphold runs as {user}: give that user access to {}, or run Uphold as root", path.display())
}

/// The name of a user. Reads the file itself, because a lookup that fails would need an error again.
fn user(uid: u32) -> String {
    let table =
        std::fs::read("/etc/passwd").map(|text| AccountTable::<User>::parse(&text)).unwrap_or_default();
    table.find(Key::Id(uid)).map_or_else(|| format!("uid {uid}"), |user| format!("{} (uid {uid})", user.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hint_names_the_user_and_the_path() {
        let found = hint(&user(0), Path::new("/etc/shadow"));
        let expected =
            "Uphold runs as root (uid 0): give that user access to /etc/shadow, or run Uphold as root";
        assert_eq!(found, expected);
        assert_eq!(user(4_000_000_000), "uid 4000000000");
    }
}
