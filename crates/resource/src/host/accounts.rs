//! Users and groups.

use std::path::PathBuf;

use super::Reading;
use crate::error::Result;

/// A user account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Login name.
    pub name: String,
    /// User id.
    pub uid: u32,
    /// Primary group.
    pub gid: u32,
    /// Home directory.
    pub home: PathBuf,
    /// Login shell.
    pub shell: PathBuf,
}

/// A group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Name.
    pub name: String,
    /// Group id.
    pub gid: u32,
    /// Names of its members.
    pub members: Vec<String>,
}

/// The account databases.
pub trait Accounts: Send + Sync {
    /// The user of this name.
    fn user(&self, name: &str) -> Result<Option<User>>;
    /// The user with this id.
    fn user_by_id(&self, uid: u32) -> Result<Option<User>>;
    /// The group of this name.
    fn group(&self, name: &str) -> Result<Option<Group>>;
    /// The group with this id.
    fn group_by_id(&self, gid: u32) -> Result<Option<Group>>;
    /// The user this process runs as.
    fn current_uid(&self) -> u32;
    /// Whether the group can have no member but `owner`, so that its write permission admits no other user. False if unsure.
    fn is_private_group(&self, owner: u32, gid: u32) -> Result<bool> {
        let _ = (owner, gid);
        Ok(false)
    }
}

/// Groups with smaller numbers belong to the distribution; directory services do not assign them.
const STATIC_GROUPS: u32 = 100;

/// Whether `group` can have no member but `owner`, given all known users.
///
/// A directory service may know members that are not listed here, but not of a group with the owner's own name, nor of
/// one that the distribution uses for its own files, such as `staff` for `/usr/local`.
pub fn is_private_group(owner: &User, group: &Group, users: &[User]) -> bool {
    let is_own = owner.gid == group.gid && owner.name == group.name;
    (is_own || group.gid < STATIC_GROUPS)
        && group.members.iter().all(|member| *member == owner.name)
        && users.iter().all(|user| user.gid != group.gid || user.uid == owner.uid)
}

/// The home directory of `user`, or of the current user if the name is empty.
pub fn home(host: &Reading<'_>, user: &str) -> Option<PathBuf> {
    let accounts = host.accounts();
    let found = match user {
        "" => accounts.user_by_id(accounts.current_uid()),
        name => accounts.user(name),
    };
    found.ok().flatten().map(|user| user.home)
}
