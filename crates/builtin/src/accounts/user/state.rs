//! The current state of a user.

use std::path::Path;

use uphold_kit::tool::command;
use uphold_resource::{
    Act, EntryKind, Error, ErrorKind, Found, GroupName, Look, Properties as _, Property, Reading, Result,
    Sensitive, Value,
};

use super::super::database::{Groups, PasswdRecord, ShadowRecord};
use super::super::{AccountPath, Date, GroupSet, database};
use super::{User, UserGoal, UserState};

/// The properties that come from `/etc/shadow`, which only root can read.
const HIDDEN: [&str; 7] = [
    "password",
    "locked",
    "expires",
    "inactive",
    "password_min_days",
    "password_max_days",
    "password_warn_days",
];

/// The current state; none if the user does not exist. Each database is parsed once for all users.
pub(super) fn load(user: &User, look: &Look<'_>) -> Result<Found<User>> {
    let passwd = database::passwd(look)?;
    let Some(account) = passwd.named(&user.name) else { return Ok(Found::Absent) };
    let groups = database::groups(look)?;
    let group = primary(account.gid, user.group.get(), &groups, look);
    let named = GroupSet::new(groups.of_user(&user.name));
    // Users other than root can load the properties that are not in `/etc/shadow`.
    let is_due = user.intact.is_set() && look.accounts().current_uid() == 0;
    let mut found = if is_due || HIDDEN.iter().any(|property| look.needs(property)) {
        let shadow = database::shadow(look)?;
        let shadow = shadow.named(&user.name);
        let intact = is_finished(account, shadow, &groups, look)?;
        UserState { intact, ..state(account, group, named, shadow) }
    } else {
        state(account, group, named, None)
    };
    if user.creates_home() {
        found.home_owned = is_owned(Path::new(&account.home), look)?;
    }
    Ok(Found::This(found))
}

fn state(
    account: &PasswdRecord,
    group: GroupName,
    groups: GroupSet,
    shadow: Option<&ShadowRecord>,
) -> UserState {
    UserState {
        uid: account.uid,
        group,
        groups,
        comment: account.comment.clone(),
        home: AccountPath::found(&account.home),
        shell: AccountPath::found(&account.shell),
        password: Sensitive::new(shadow.map_or_else(String::new, |shadow| shadow.hash().to_owned())),
        locked: shadow.is_some_and(ShadowRecord::is_locked),
        expires: shadow.and_then(|shadow| shadow.expires).map(Date::from_days),
        inactive: shadow.and_then(|shadow| shadow.inactive),
        password_min_days: shadow.and_then(|shadow| shadow.min),
        password_max_days: shadow.and_then(|shadow| shadow.max),
        password_warn_days: shadow.and_then(|shadow| shadow.warn),
        intact: true,
        home_owned: true,
    }
}

/// The group with this gid, by name or number as declared. Two names with one gid are the same group.
fn primary(gid: u32, declared: Option<&GroupName>, groups: &Groups, host: &Reading<'_>) -> GroupName {
    match declared {
        Some(declared) if number(declared, groups, host) == Some(gid) => declared.clone(),
        Some(declared) if matches!(declared.to_value(), Value::Int(_)) => GroupName::numbered(gid),
        _ => groups
            .numbered(gid)
            .map_or_else(|| GroupName::numbered(gid), |group| GroupName::named(group.name.as_str())),
    }
}

/// The gid of a group. A group that is in no local file may come from a directory service.
pub(super) fn number(group: &GroupName, groups: &Groups, host: &Reading<'_>) -> Option<u32> {
    match group.to_value() {
        Value::Text(name) => groups.named(&name).map(|group| group.gid).or_else(|| group.id(host).ok()),
        _ => group.id(host).ok(),
    }
}

// Checks of a declaration that need no change of the machine.

/// Fails if the declaration cannot be applied with any tool.
pub(super) fn check(user: &User, host: &Reading<'_>) -> Result<()> {
    is_free(user, host)?;
    let groups = database::groups(host)?;
    if let Some(group) = user.group.get()
        && !exists(group, &groups, host)
    {
        return Err(missing(user, &group.to_value()));
    }
    let mut named = user.groups.get().into_iter().flat_map(GroupSet::iter);
    match named.find(|name| groups.named(name).is_none() && !is_elsewhere(name, host)) {
        Some(name) => Err(missing(user, &Value::text(name))),
        None => Ok(()),
    }
}

/// Fails if another user has the declared uid, unless `non_unique` is set.
fn is_free(user: &User, host: &Reading<'_>) -> Result<()> {
    let Some(uid) = user.uid.get().filter(|_| !user.non_unique) else { return Ok(()) };
    database::passwd(host)?.check_free(&user.name, *uid, ["user", "uid"])
}

/// A numeric group must exist, too: `useradd` refuses a gid that no group has.
fn exists(group: &GroupName, groups: &Groups, host: &Reading<'_>) -> bool {
    match group.to_value() {
        Value::Int(gid) => u32::try_from(gid).is_ok_and(|gid| {
            groups.numbered(gid).is_some()
                || host.accounts().group_by_id(gid).is_ok_and(|found| found.is_some())
        }),
        _ => number(group, groups, host).is_some(),
    }
}

fn is_elsewhere(name: &str, host: &Reading<'_>) -> bool {
    host.accounts().group(name).is_ok_and(|found| found.is_some())
}

fn missing(user: &User, group: &Value) -> Error {
    let name = match group {
        Value::Text(name) => format!("`{name}`"),
        number => format!("with the gid {number}"),
    };
    let what = format!("the group {name} of the user `{}` does not exist", user.name);
    Error::new(ErrorKind::Missing, what).hint("declare the group, or correct its name")
}

// Accounts whose creation was interrupted.
//
// `useradd` writes several files and then the home directory; the password is set after that. A new account
// therefore starts with a marker in its password field that no password matches, and that shows that it is not
// complete.

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
    crate::accounts::run(host, &what, &command("userdel", [user.name.as_str()]))?;
    let home = current.home.as_path();
    let is_ours = match host.files().look(home)? {
        Some(entry) => entry.kind == EntryKind::Directory && [0, current.uid].contains(&entry.uid),
        None => false,
    };
    if user.creates_home() && is_ours && is_untouched(home, host)? {
        host.edits().remove_tree(home)
    } else {
        Ok(())
    }
}

// The home directory of an account.

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
    crate::accounts::run(
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
