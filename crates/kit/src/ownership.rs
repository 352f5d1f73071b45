//! Owner and group, for kinds with a path.
//!
//! ```
//! use uphold_kit::ownership::Ownership;
//! use uphold_kit::prelude::*;
//! use uphold_kit::resource::NewFile;
//!
//! /// An empty file.
//! #[derive(Resource)]
//! #[resource(kind = "flag")]
//! pub struct Flag {
//!     /// Path; the label unless set.
//!     #[name]
//!     pub path: AbsolutePath,
//!     /// Properties `owner` and `group`.
//!     #[flatten(state, on_create(group = "adm"), doc(owner = "Owner of the flag."))]
//!     pub ownership: Ownership,
//! }
//!
//! impl Resource for Flag {
//!     fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
//!         let Some(entry) = regular_file::look(&self.path, look)? else { return Ok(Found::Absent) };
//!         Ok(Found::This(FlagState { ownership: self.ownership.load(&entry, look)? }))
//!     }
//!
//!     fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
//!         match step {
//!             Step::Create { goal } => {
//!                 host.edits().write(&self.path, &NewFile::new(b"", goal.ownership.access(None, host)?))
//!             }
//!             Step::Update { goal, .. } => {
//!                 ownership::set(&self.path, &goal.ownership.access(None, host)?, true, host)
//!             }
//!             Step::Remove { .. } => host.edits().remove_file(&self.path),
//!         }
//!     }
//! }
//! ```

use std::path::Path;

use uphold_resource::{
    Access, Act, Desired, Entry, GroupName, Look, Properties, Property, Reading, Result, UserName, Value,
    Want, set_access,
};

/// Owner and group of a file, to embed with `#[flatten(state)]`.
#[derive(Clone, Debug, Default, Properties)]
pub struct Ownership {
    /// Owner. If it is not set, an existing file keeps its own.
    #[also("user")]
    pub owner: Want<UserName>,
    /// Group. If it is not set, an existing file keeps its own.
    pub group: Want<GroupName>,
}

impl Ownership {
    /// The owner and group of an existing file, by name or number as declared. Names are looked up only if needed.
    ///
    /// Two names with one uid are the same owner, so a declared name that matches is returned as written.
    pub fn load(&self, entry: &Entry, look: &Look<'_>) -> Result<OwnershipState> {
        let owner = match self.owner.get() {
            // An unknown name has already failed in `prepare`, except for a removal.
            Some(name) if name.id(look).is_ok_and(|id| id == entry.uid) => name.clone(),
            None if !is_shown("owner", look) => UserName::numbered(entry.uid),
            declared => UserName::found(entry.uid, declared, look)?,
        };
        let group = match self.group.get() {
            Some(name) if name.id(look).is_ok_and(|id| id == entry.gid) => name.clone(),
            None if !is_shown("group", look) => GroupName::numbered(entry.gid),
            declared => GroupName::found(entry.gid, declared, look)?,
        };
        Ok(OwnershipState { owner, group })
    }

    /// Fails if a declared account does not exist, so that a plan fails, too. For `prepare` of a resource that is not
    /// removed: for a removal, the owner need not exist.
    pub fn must_exist(&self, host: &Reading<'_>) -> Result<()> {
        self.access(None, host).map(drop)
    }

    /// The declared owner and group as numbers, with this mode. Unset values keep the current ones.
    pub fn access(&self, mode: Option<u32>, host: &Reading<'_>) -> Result<Access> {
        access(mode, self.owner.get(), self.group.get(), host)
    }
}

impl OwnershipGoal {
    /// The owner and group to set as numbers, with this mode. Other than [`Ownership::access`], this includes defaults
    /// and current values.
    pub fn access(&self, mode: Option<u32>, host: &Reading<'_>) -> Result<Access> {
        access(mode, self.owner.as_ref(), self.group.as_ref(), host)
    }
}

impl OwnershipChange {
    /// Whether the owner or the group changes.
    pub fn is_any(&self) -> bool {
        self.owner.is_some() || self.group.is_some()
    }
}

/// Whether an undeclared property is read by others, or is shown as lost by a removal.
fn is_shown(property: &str, look: &Look<'_>) -> bool {
    look.needs(property) || look.desired() == Some(Desired::Absent)
}

fn access(
    mode: Option<u32>,
    owner: Option<&UserName>,
    group: Option<&GroupName>,
    host: &Reading<'_>,
) -> Result<Access> {
    let uid = owner.map(|owner| owner.id(host)).transpose()?;
    let gid = group.map(|group| group.id(host)).transpose()?;
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
