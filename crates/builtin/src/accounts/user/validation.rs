//! Checks of a declaration that need no change of the machine.

use uphold_resource::{Error, ErrorKind, GroupName, Property, Reading, Result, Value};

use super::super::GroupSet;
use super::super::database::{self, Groups};
use super::resource::User;
use super::state;

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
    let passwd = database::passwd(host)?;
    let own = passwd.named(&user.name).is_some_and(|own| own.uid == *uid);
    match passwd.numbered(*uid).filter(|other| !own && other.name != user.name) {
        None => Ok(()),
        Some(other) => {
            let what = format!(
                "the uid {uid} of the user `{}` is already used by the user `{}`",
                user.name, other.name
            );
            Err(Error::new(ErrorKind::Invalid, what).hint("choose another `uid`, or set `non_unique = true`"))
        }
    }
}

/// A numeric group must exist, too: `useradd` refuses a gid that no group has.
fn exists(group: &GroupName, groups: &Groups, host: &Reading<'_>) -> bool {
    match group.to_value() {
        Value::Int(gid) => u32::try_from(gid).is_ok_and(|gid| {
            groups.numbered(gid).is_some()
                || host.accounts().group_by_id(gid).is_ok_and(|found| found.is_some())
        }),
        _ => state::number(group, groups, host).is_some(),
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
