//! The current state of a user.

use std::path::Path;

use uphold_resource::{Found, GroupName, Look, Property, Reading, Result, Sensitive, Value};

use super::super::database::{self, Groups, PasswdRecord, ShadowRecord};
use super::super::{AccountPath, Date, GroupSet};
use super::resource::{User, UserState};
use super::{home, unfinished};

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
        let intact = unfinished::is_finished(account, shadow, &groups, look)?;
        UserState { intact, ..state(account, group, named, shadow) }
    } else {
        state(account, group, named, None)
    };
    if user.creates_home() {
        found.home_owned = home::is_owned(Path::new(&account.home), look)?;
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
