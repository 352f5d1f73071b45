//! Owner and group, as the kinds that have a path need them.

use uphold_resource::{Access, GroupName, Property, Reading, Result, UserName, Value, Want};

/// The owner with this number, in the form of the wish. Looked up only if somebody asked.
///
/// Two names of one number are the same owner: a wish that is met stands as it was written.
pub(crate) fn owner(uid: u32, wish: &Want<UserName>, host: &Reading<'_>) -> Result<UserName> {
    match wish.get() {
        // That a name cannot be looked up is told before, unless this is a look to remove.
        Some(name) if name.id(host).is_ok_and(|id| id == uid) => Ok(name.clone()),
        None if !host.needs("owner") => Ok(UserName::numbered(uid)),
        wish => UserName::found(uid, wish, host),
    }
}

/// The group with this number, in the form of the wish. Looked up only if somebody asked.
pub(crate) fn group(gid: u32, wish: &Want<GroupName>, host: &Reading<'_>) -> Result<GroupName> {
    match wish.get() {
        Some(name) if name.id(host).is_ok_and(|id| id == gid) => Ok(name.clone()),
        None if !host.needs("group") => Ok(GroupName::numbered(gid)),
        wish => GroupName::found(gid, wish, host),
    }
}

/// Fails if an account that was asked for does not exist, so that a plan tells it, too. To remove
/// something its owner need not exist: this is for `prepare`, which is not called then.
pub(crate) fn must_exist(owner: &Want<UserName>, group: &Want<GroupName>, host: &Reading<'_>) -> Result<()> {
    access(None, owner, group, host).map(drop)
}

/// What the user set, as numbers, with this mode. What is unset stays as it is.
pub(crate) fn access(
    mode: Option<u32>,
    owner: &Want<UserName>,
    group: &Want<GroupName>,
    host: &Reading<'_>,
) -> Result<Access> {
    let uid = owner.get().map(|owner| owner.id(host)).transpose()?;
    let gid = group.get().map(|group| group.id(host)).transpose()?;
    Ok(Access { mode, uid, gid })
}

/// A user or group as it was written: its name, or its number.
pub(crate) fn written(account: &impl Property) -> String {
    match account.to_value() {
        Value::Text(name) => name.to_string(),
        number => number.to_string(),
    }
}
