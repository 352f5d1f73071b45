//! Accounts whose making was interrupted.
//!
//! `useradd` writes several files and then the home directory, and the password comes after it. So a new account begins with a password
//! field that says that it is not finished, and that nobody can log in with.

use uphold_resource::{Act, Described as _, EntryKind, Reading, Result};

use super::super::database::{Groups, PasswdRecord, ShadowRecord};
use super::super::tool;
use super::home;
use super::resource::{User, UserGoal, UserState};
use crate::tool::command;

/// The password field of an account that is being made.
pub(super) const MARK: &str = "!uphold-unfinished";

/// Whether an account was made to its end. One that was interrupted very early has neither a password field nor a group nor a home
/// directory.
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

/// The goal for making the account anew: what was set, and the same number.
pub(super) fn goal(user: &User, current: &UserState) -> UserGoal {
    let goal = user.goal(None);
    UserGoal { uid: goal.uid.or(Some(current.uid)), ..goal }
}

/// Removes what is left of the account. A home directory goes with it only if nobody has put anything into it.
pub(super) fn remove(user: &User, current: &UserState, host: &Act<'_>) -> Result<()> {
    let what = format!("make the unfinished user `{}` anew", user.name);
    tool::run(host, &what, &command("userdel", [user.name.as_str()]))?;
    let home = current.home.as_path();
    let is_ours = match host.files().look(home)? {
        Some(entry) => entry.kind == EntryKind::Directory && [0, current.uid].contains(&entry.uid),
        None => false,
    };
    match user.creates_home() && is_ours && home::is_untouched(home, host)? {
        true => host.edits().remove_tree(home),
        false => Ok(()),
    }
}
