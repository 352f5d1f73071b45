//! The kind `directory`.

mod purge;

use std::path::Path;

use uphold_kit::ownership::Ownership;
use uphold_kit::unmanaged::PathInside;
use uphold_kit::{parent, unmanaged};
use uphold_resource::{
    AbsolutePath, Access, Act, Claim, Claiming, Claims, Desired, Entry, EntryKind, Error, ErrorKind, Found,
    Interest, Lazy, Look, Mode, Other, Previous, Reading, Resource, Result, Step, Want, Watching,
};

pub use purge::Purge;

/// A directory.
///
/// Its parent must exist unless `recursive` is set. `action = "remove"` removes an empty directory, and with `recursive`
/// also its content; a directory that is no longer declared is removed only if it is empty. Symbolic links are never
/// followed.
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
    /// Path of the directory; defaults to the block's label.
    #[name]
    pub path: AbsolutePath,
    /// Mode. If it is not set, an existing directory keeps its own.
    #[also("permissions", "perms")]
    #[on_create("0755")]
    pub mode: Want<Mode>,
    /// Owner and group.
    #[flatten(
        state,
        doc(
            owner = "Owner. If it is not set, an existing directory keeps its own.",
            group = "Group. If it is not set, an existing directory keeps its own."
        )
    )]
    pub ownership: Ownership,
    /// Create missing parents with the same mode, owner and group; existing parents are not changed. With
    /// `action = "remove"`: also remove the content, which the plan lists below `purge`.
    #[also("create_all", "parents")]
    #[default(false)]
    pub recursive: bool,
    /// Remove the files and directories in this directory that no resource manages. To keep some of them, set it to a
    /// list of their paths, relative to this directory, such as `"keep.conf"` or `"sub/keep"`; a directory in the list
    /// keeps its content. Absolute paths, `..` and patterns (`*`, `?`, `[`) are refused.
    ///
    /// A subdirectory that contains managed paths is not removed; its other content is. The same applies to a declared
    /// subdirectory, unless it sets `purge` itself. Home directories of declared users, git checkouts and unpacked
    /// archives keep their content.
    #[load(Self::unmanaged)]
    pub purge: Want<Purge>,
}

impl Resource for Directory {
    fn prepare(&self, look: &Look<'_>) -> Result<DirectoryWishes> {
        self.ownership.must_exist(look)?;
        Ok(DirectoryWishes::default())
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some(entry) = look.files().look(&self.path)? else { return Ok(Found::Absent) };
        match entry.kind {
            EntryKind::Directory => self.state(&entry, look).map(Found::This),
            kind => Ok(Found::Other(Other::new(&*self.path, kind.words(), "a directory"))),
        }
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        if self.recursive {
            Ok(())
        } else {
            parent::check(&self.path, look).map_err(|error| self.advised(error))
        }
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.create(&self.ownership.access(Some(goal.mode.bits()), host)?, host),
            Step::Update { goal, change, .. } => self.update(goal, change, host),
            Step::Remove { .. } if self.recursive => host.edits().remove_tree(&self.path),
            Step::Remove { .. } => {
                let removed = host.edits().remove_directory(&self.path);
                removed.map_err(|error| self.with_content(error, host))
            }
        }
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Update { change, .. } if change.purge.is_some() => {
                Previous::none("the purged content is not kept")
            }
            Step::Remove { .. } if self.recursive => Previous::none("its content was removed with it"),
            _ => Previous::without(&["recursive", "purge"]),
        }
    }
}

impl Claiming for Directory {
    /// A purge of a parent applies to this directory, too, unless it sets `purge` itself. Its own purge runs after
    /// resources whose paths become known only during the run.
    fn add_claims(&self, claims: &mut Claims) {
        if !self.purge.is_set() {
            claims.leave_open(self.path.to_path_buf());
        }
        if self.purge.get().is_some_and(Purge::is_active) {
            claims.follow(Claim::ManagedPaths);
        }
    }
}

/// Unmanaged files anywhere below the directory must be noticed if it is purged.
impl Watching for Directory {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        if self.purge.get().is_some_and(Purge::is_active) {
            interests.push(Interest::Tree(self.path.to_path_buf()));
        }
    }
}

impl Directory {
    fn state(&self, entry: &Entry, look: &Look<'_>) -> Result<DirectoryState> {
        let is_tree_removed = self.recursive && look.desired() == Some(Desired::Absent);
        Ok(DirectoryState {
            mode: Mode::new(entry.mode),
            ownership: self.ownership.load(entry, look)?,
            purge: if is_tree_removed { Lazy::from(self.content(look)?) } else { Lazy::UNREAD },
        })
    }

    /// All content, which a recursive removal takes away: a plan shows it.
    fn content(&self, look: &Look<'_>) -> Result<Purge> {
        let entries = look.files().list(&self.path)?.into_iter().map(|name| {
            let found = look.files().look(&self.path.join(&name))?;
            let is_directory = found.is_some_and(|entry| entry.kind == EntryKind::Directory);
            Ok(PathInside { path: name.into(), is_directory })
        });
        entries.collect::<Result<Vec<_>>>().map(Purge::found)
    }

    /// Unmanaged content, if some of it may have to be removed. Otherwise it is not listed even if another block
    /// reads the property: it could be all of `/`.
    fn unmanaged(&self, _: &DirectoryState, look: &Look<'_>) -> Result<Purge> {
        match self.purge.get().filter(|purge| purge.is_active()) {
            Some(purge) => unmanaged::find(&self.path, &purge.kept(), look).map(Purge::found),
            None => Ok(Purge::from(false)),
        }
    }

    fn create(&self, access: &Access, host: &Act<'_>) -> Result<()> {
        if self.recursive {
            for parent in self.missing_parents(host)?.into_iter().rev() {
                make_parent(parent, access, host)?;
            }
        }
        host.edits().make_directory(&self.path, access).map_err(|error| self.advised(error))
    }

    /// The parents that do not exist, innermost first.
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

    /// Names the content that stays: the resource may be one that an undo removes.
    fn with_content(&self, error: Error, host: &Act<'_>) -> Error {
        let mut names = match error.kind() {
            ErrorKind::Failed => host.files().list(&self.path).unwrap_or_default(),
            _ => Vec::new(),
        };
        names.sort();
        let Some(first) = names.first() else { return error };
        let more = if names.len() == 1 { String::new() } else { format!(" and {} more", names.len() - 1) };
        error.hint(format!("it contains {first:?}{more}; only an empty directory is removed"))
    }

    fn advised(&self, error: Error) -> Error {
        let Some(parent) = self.path.parent().filter(|_| error.kind() == ErrorKind::ParentMissing) else {
            return error;
        };
        error.hint(format!("declare it: directory \"{}\" {{}}; or set `recursive = true`", parent.display()))
    }

    fn update(&self, goal: &DirectoryGoal, change: &DirectoryChange, host: &Act<'_>) -> Result<()> {
        if change.mode.is_some() || change.ownership.is_any() {
            let mode = self.mode.is_set().then(|| goal.mode.bits());
            uphold_resource::set_access(
                &self.path,
                "a directory",
                &self.ownership.access(mode, host)?,
                host,
            )?;
        }
        let Some(purge) = &change.purge else { return Ok(()) };
        purge.from.surplus(&purge.to).try_for_each(|entry| {
            let path = self.path.join(&entry.path);
            if entry.is_directory {
                host.edits().remove_tree(&path)
            } else {
                // Fails if a directory has taken its place in the meantime.
                host.edits().remove_file(&path)
            }
        })
    }
}

/// Creates a parent. Directories that are created in parallel may share it, so it may exist by now.
fn make_parent(parent: &Path, access: &Access, host: &Act<'_>) -> Result<()> {
    host.edits().make_directory(parent, access).or_else(|error| {
        let exists = host.files().look(parent)?.is_some_and(|entry| entry.kind == EntryKind::Directory);
        if exists { Ok(()) } else { Err(error) }
    })
}
