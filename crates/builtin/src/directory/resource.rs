//! One directory.

use std::path::Path;

use uphold_resource::{
    AbsolutePath, Access, Act, Claim, Claiming, Claims, Entry, EntryKind, Error, ErrorKind, GroupName,
    Interest, Mode, Reading, Resource, Result, Step, UserName, Want, Watching, wrong_type,
};

use super::{Purge, strangers};
use crate::{ownership, parent};

/// One directory.
///
/// Its parent must exist unless `recursive` is set. Removing it removes an empty directory, and
/// with `recursive` also all that is inside. Links are never followed.
///
/// ```hcl
/// directory "/etc/app/conf.d" {
///   mode  = "0750"
///   group = "root"
///   purge = true
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "directory", also("dir", "folder", "remote_directory"), claims, interests)]
pub struct Directory {
    /// Where it is; the block's label unless set.
    #[name]
    pub path: AbsolutePath,
    /// Permission bits. An existing directory keeps its own unless this is set.
    #[also("permissions", "perms")]
    #[on_create("0755")]
    pub mode: Want<Mode>,
    /// Its owner. An existing directory keeps its own unless this is set.
    #[also("user")]
    pub owner: Want<UserName>,
    /// Its group. An existing directory keeps its own unless this is set.
    pub group: Want<GroupName>,
    /// Whether missing parents are made, with the same mode, owner and group; parents that exist
    /// are left alone. When it is removed: whether what is inside is removed, too.
    #[also("recurse", "create_all")]
    #[default(false)]
    pub recursive: bool,
    /// Whether what is inside and not managed by another resource is removed. A list names what may
    /// stay, with all that is inside: paths that begin in this directory, such as "keep.conf" or
    /// "sub/keep". Absolute paths and `..` are refused, and patterns are not known. A directory with
    /// something managed inside stays, and is swept as well; so is a declared directory, unless it sets `purge` itself.
    /// Home directories of declared users, checkouts and unpacked archives are left alone with all that is inside.
    pub purge: Want<Purge>,
}

impl Resource for Directory {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        ownership::must_exist(&self.owner, &self.group, host)
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<DirectoryState>> {
        let Some(entry) = host.files().look(&self.path)? else { return Ok(None) };
        match entry.kind {
            EntryKind::Directory => self.state(&entry, host).map(Some),
            kind => Err(wrong_type(&*self.path, kind.words(), "a directory")),
        }
    }

    fn check_create(&self, host: &Reading<'_>) -> Result<()> {
        if self.recursive {
            Ok(())
        } else {
            parent::check(&self.path, host).map_err(|error| self.advised(error))
        }
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.create(&self.access(Some(goal.mode.bits()), host)?, host),
            Step::Update { goal, change, .. } => self.update(goal, change, host),
            Step::Remove { .. } if self.recursive => host.edits().remove_tree(&self.path),
            Step::Remove { .. } => {
                host.edits().remove_directory(&self.path).map_err(|error| match error.kind() {
                    ErrorKind::Failed => error.hint("set `recursive = true` to remove what is inside, too"),
                    _ => error,
                })
            }
        }
    }
}

impl Claiming for Directory {
    /// Unless it says itself what may be inside, a purge of a parent does. Its own purge comes after resources whose paths
    /// are only known during the run.
    fn add_claims(&self, claims: &mut Claims) {
        if !self.purge.is_set() {
            claims.leave_open(self.path.to_path_buf());
        }
        if self.purge.get().is_some_and(Purge::is_sweeping) {
            claims.follow(Claim::ManagedPaths);
        }
    }
}

/// A stranger anywhere inside must be seen when it is to be swept.
impl Watching for Directory {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        if self.purge.get().is_some_and(Purge::is_sweeping) {
            interests.push(Interest::Tree(self.path.to_path_buf()));
        }
    }
}

impl Directory {
    fn state(&self, entry: &Entry, host: &Reading<'_>) -> Result<DirectoryState> {
        Ok(DirectoryState {
            mode: Mode::new(entry.mode),
            owner: ownership::owner(entry.uid, &self.owner, host)?,
            group: ownership::group(entry.gid, &self.group, host)?,
            purge: self.strangers(host)?,
        })
    }

    /// What is inside, if something of it may have to go. Else it is nobody's business, even if
    /// somebody reads the property: it could be all of `/`.
    fn strangers(&self, host: &Reading<'_>) -> Result<Purge> {
        match self.purge.get().is_some_and(Purge::is_sweeping) {
            true => strangers::find(&self.path, host).map(Purge::found),
            false => Ok(Purge::UNREAD),
        }
    }

    fn access(&self, mode: Option<u32>, host: &Act<'_>) -> Result<Access> {
        ownership::access(mode, &self.owner, &self.group, host)
    }

    fn create(&self, access: &Access, host: &Act<'_>) -> Result<()> {
        if self.recursive {
            for parent in self.missing_parents(host)?.into_iter().rev() {
                make_parent(parent, access, host)?;
            }
        }
        host.edits().make_directory(&self.path, access).map_err(|error| self.advised(error))
    }

    /// The parents that do not exist, the innermost first.
    fn missing_parents(&self, host: &Reading<'_>) -> Result<Vec<&Path>> {
        let mut missing = Vec::new();
        for parent in self.path.ancestors().skip(1) {
            if host.files().look(parent)?.is_some() {
                break;
            }
            missing.push(parent);
        }
        Ok(missing)
    }

    fn advised(&self, error: Error) -> Error {
        let Some(parent) = self.path.parent().filter(|_| error.kind() == ErrorKind::ParentMissing) else {
            return error;
        };
        error.hint(format!("declare it: directory \"{}\" {{}}; or set `recursive = true`", parent.display()))
    }

    fn update(&self, goal: &DirectoryGoal, change: &DirectoryChange, host: &Act<'_>) -> Result<()> {
        if change.mode.is_some() || change.owner.is_some() || change.group.is_some() {
            let mode = self.mode.is_set().then(|| goal.mode.bits());
            uphold_resource::set_access(&self.path, "a directory", &self.access(mode, host)?, host)?;
        }
        let Some(purge) = &change.purge else { return Ok(()) };
        purge.from.surplus(&purge.to).try_for_each(|entry| {
            let path = self.path.join(&entry.path);
            match entry.is_directory {
                true => host.edits().remove_tree(&path),
                // Never a directory that has taken its place since.
                false => host.edits().remove_file(&path),
            }
        })
    }
}

/// Makes a parent, unless somebody was quicker: directories that are made side by side may share it.
fn make_parent(parent: &Path, access: &Access, host: &Act<'_>) -> Result<()> {
    host.edits().make_directory(parent, access).or_else(|error| {
        let there = host.files().look(parent)?.is_some_and(|entry| entry.kind == EntryKind::Directory);
        if there { Ok(()) } else { Err(error) }
    })
}
