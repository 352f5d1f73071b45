//! The home directory of an account.

use std::path::Path;

use uphold_kit::tool::command;
use uphold_resource::{Act, EntryKind, Reading, Result};

use super::super::{database, tool};
use super::resource::{User, UserState};

/// The template of new home directories.
const SKELETON: &str = "/etc/skel";

/// The most entries to compare with the template; a directory with more is in use.
const MOST: usize = 1000;

/// Whether the owner of the home directory has an account. True if the directory does not exist.
pub(super) fn is_owned(home: &Path, host: &Reading<'_>) -> Result<bool> {
    let Some(entry) = host.files().look(home)? else { return Ok(true) };
    let is_known =
        entry.kind != EntryKind::Directory || database::passwd(host)?.numbered(entry.uid).is_some();
    Ok(is_known || host.accounts().user_by_id(entry.uid)?.is_some())
}

/// Gives the home directory, and all files in it with the same owner, to the user.
pub(super) fn give_back(user: &User, current: &UserState, host: &Act<'_>) -> Result<()> {
    let home = current.home.as_path();
    let Some(entry) = host.files().look(home)? else { return Ok(()) };
    let arguments = [
        "--recursive".to_owned(),
        "--no-dereference".to_owned(),
        format!("--from={}", entry.uid),
        "--".to_owned(),
        user.name.clone(),
        current.home.as_str().to_owned(),
    ];
    tool::run(
        host,
        &format!("change the owner of the home directory of the user `{}`", user.name),
        &command("chown", arguments),
    )
}

/// Whether a home directory holds only files of the skeleton directory, which may be partly written.
pub(super) fn is_untouched(home: &Path, host: &Reading<'_>) -> Result<bool> {
    let (mut ahead, mut seen) = (vec![(home.to_owned(), Path::new(SKELETON).to_owned())], 0);
    while let Some((directory, skeleton)) = ahead.pop() {
        for name in host.files().list(&directory)? {
            let (path, pattern) = (directory.join(&name), skeleton.join(&name));
            let (found, expected) = (host.files().look(&path)?, host.files().look(&pattern)?);
            seen += 1;
            let is_equal = match (found.map(|entry| entry.kind), expected.map(|entry| entry.kind)) {
                (Some(EntryKind::Directory), Some(EntryKind::Directory)) => {
                    ahead.push((path, pattern));
                    true
                }
                (Some(EntryKind::Link(found)), Some(EntryKind::Link(expected))) => found == expected,
                (Some(EntryKind::File), Some(EntryKind::File)) => {
                    host.files().read(&pattern, 0)?.starts_with(&host.files().read(&path, 0)?)
                }
                _ => false,
            };
            if !is_equal || seen > MOST {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
