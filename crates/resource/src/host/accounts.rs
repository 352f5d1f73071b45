//! Users and groups.

use std::path::PathBuf;

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
}
