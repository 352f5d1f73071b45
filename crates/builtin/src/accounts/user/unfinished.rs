//! Accounts whose creation was interrupted.
//!
//! `useradd` writes several files and then the home directory; the password is set after that. A new account
//! therefore starts with a marker in its password field that no password matches, and that shows that it is not
//! complete.

use uphold_kit::tool::command;
use uphold_resource::{Act, EntryKind, Properties as _, Reading, Result};

use super::super::database::{Groups, PasswdRecord, ShadowRecord};
use super::super::tool;
use super::home;
use super::resource::{User, UserGoal, UserState};

/// The password field of an account that is being created.
pub(super) const MARK: &str = "!uphold-unfinished";

/// Whether the creation of an account was completed. One that was interrupted very early has no password field, no
/// group and no home directory.
pub(super) fn is_finished(
    account: &PasswdRecord,
    shadow: Option<&ShadowRecord>,
    groups: &Groups,
    host: &Reading<'_>,
) -> Result<bool> {
    match shadow {
        Some(shadow) => Ok(!shadow.is_field(MARK)),
        None => {
            let has_group = groups.numbered(account.gid).is_some();
            Ok(has_group || host.files().look(account.home.as_ref())?.is_some())
        }
    }
}

/// The goal for creating the account again: the declared properties and the same user ID.
pub(super) fn goal(user: &User, current: &UserState) -> UserGoal {
    let goal = user.goal(None);
    UserGoal { uid: goal.uid.or(Some(current.uid)), ..goal }
}

/// Removes the incomplete account. Its home directory is removed only if it holds nothing but skeleton files.
pub(super) fn remove(user: &User, current: &UserState, host: &Act<'_>) -> Result<()> {
    let what = format!("remove the incomplete user `{}` before creating it again", user.name);
    tool::run(host, &what, &command("userdel", [user.name.as_str()]))?;
    let home = current.home.as_path();
    let is_ours = match host.files().look(home)? {
        Some(entry) => entry.kind == EntryKind::Directory && [0, current.uid].contains(&entry.uid),
        None => false,
    };
    if user.creates_home() && is_ours && home::is_untouched(home, host)? {
        host.edits().remove_tree(home)
    } else {
        Ok(())
    }
}
