//! Owner and group, for kinds with a path.
//!
//! ```
//! use uphold_kit::ownership;
//! use uphold_kit::resource::{Act, Entry, GroupName, Look, Mode, Result, UserName, Want};
//!
//! struct Key {
//!     owner: Want<UserName>,
//!     group: Want<GroupName>,
//! }
//!
//! impl Key {
//!     /// In `load`.
//!     fn found(&self, entry: &Entry, look: &Look<'_>) -> Result<(UserName, GroupName)> {
//!         let owner = ownership::owner(entry.uid, &self.owner, look)?;
//!         Ok((owner, ownership::group(entry.gid, &self.group, look)?))
//!     }
//!
//!     /// In `apply`, if only the owner differs.
//!     fn set_owner(&self, path: &std::path::Path, host: &Act<'_>) -> Result<()> {
//!         let access = ownership::access(None, &self.owner, &self.group, host)?;
//!         ownership::set(path, &access, true, host)
//!     }
//! }
//! ```

use std::path::Path;

use uphold_resource::{
    Access, Act, Desired, GroupName, Look, Property, Reading, Result, UserName, Value, Want, set_access,
};

/// The owner with this uid, by name or number as declared. Looked up only if needed.
///
/// Two names with one uid are the same owner, so a declared name that matches is returned as written.
pub fn owner(uid: u32, declared: &Want<UserName>, look: &Look<'_>) -> Result<UserName> {
    match declared.get() {
        // An unknown name has already failed in `prepare`, except for a removal.
        Some(name) if name.id(look).is_ok_and(|id| id == uid) => Ok(name.clone()),
        None if !is_shown("owner", look) => Ok(UserName::numbered(uid)),
        declared => UserName::found(uid, declared, look),
    }
}

/// The group with this gid, by name or number as declared. Looked up only if needed.
pub fn group(gid: u32, declared: &Want<GroupName>, look: &Look<'_>) -> Result<GroupName> {
    match declared.get() {
        Some(name) if name.id(look).is_ok_and(|id| id == gid) => Ok(name.clone()),
        None if !is_shown("group", look) => Ok(GroupName::numbered(gid)),
        declared => GroupName::found(gid, declared, look),
    }
}

/// Whether an undeclared property is read by others, or is shown as lost by a removal.
fn is_shown(property: &str, look: &Look<'_>) -> bool {
    look.needs(property) || look.desired() == Some(Desired::Absent)
}

/// Fails if a declared account does not exist, so that a plan fails, too. For `prepare` only, which is not called
/// for a removal: there the owner need not exist.
pub fn must_exist(owner: &Want<UserName>, group: &Want<GroupName>, host: &Reading<'_>) -> Result<()> {
    access(None, owner, group, host).map(drop)
}

/// The declared owner and group as numbers, with this mode. Unset values keep the current ones.
pub fn access(
    mode: Option<u32>,
    owner: &Want<UserName>,
    group: &Want<GroupName>,
    host: &Reading<'_>,
) -> Result<Access> {
    let uid = owner.get().map(|owner| owner.id(host)).transpose()?;
    let gid = group.get().map(|group| group.id(host)).transpose()?;
    Ok(Access { mode, uid, gid })
}

/// Sets the owner, group and mode of the regular file at `path`.
///
/// After a change of owner, a process that has the file open could still write to it. So the file is then replaced by a
/// copy: pass whether the owner or group changes.
pub fn set(path: &Path, access: &Access, changes_owner: bool, host: &Act<'_>) -> Result<()> {
    set_access(path, "a regular file", access, host)?;
    if changes_owner { host.edits().copy(path, path) } else { Ok(()) }
}

/// A user or group as written: a name or a number.
pub fn written(account: &impl Property) -> String {
    match account.to_value() {
        Value::Text(name) => name.to_string(),
        number => number.to_string(),
    }
}
