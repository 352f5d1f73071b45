//! One symbolic or hard link.

use std::path::{Path, PathBuf};

use uphold_resource::{
    AbsolutePath, Access, Act, Claim, Claiming, Claims, Entry, EntryKind, Error, ErrorKind, GroupName,
    Interest, Property, Reading, Resource, Result, Step, UserName, Want, Watching, replaced, wrong_type,
};

use super::Target;
use crate::{ownership, parent};

/// One link.
///
/// A regular file or another link in its way is replaced, all at once; anything else in its way is
/// an error. Removing it removes the link and not what it leads to; if something else is there,
/// that is an error.
///
/// ```hcl
/// link "/etc/localtime" {
///   to = "/usr/share/zoneinfo/UTC"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "link", also("symlink"), claims, interests)]
pub struct Link {
    /// Where the link is; the block's label unless set.
    #[name]
    pub path: AbsolutePath,
    /// Where it leads. A symbolic link holds this to the letter, and may lead nowhere. A hard link
    /// is another name of this file, which must exist; a relative path begins at the directory of
    /// the link.
    #[also("target", "src")]
    #[required]
    pub to: Want<Target>,
    /// Whether it is a symbolic or a hard link.
    #[default(LinkType::Symbolic)]
    pub r#type: LinkType,
    /// Owner of the link itself; of a hard link, that is the file's.
    pub owner: Want<UserName>,
    /// Group of the link itself; of a hard link, that is the file's.
    pub group: Want<GroupName>,
}

/// What a link is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum LinkType {
    /// A file that holds a path.
    Symbolic,
    /// Another name of one file.
    Hard,
}

impl Resource for Link {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        ownership::must_exist(&self.owner, &self.group, host)
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<LinkState>> {
        let Some(entry) = host.files().look(&self.path)? else { return Ok(None) };
        let to = match self.r#type {
            LinkType::Symbolic => self.symbolic_target(&entry)?,
            LinkType::Hard => self.hard_target(&entry, host)?,
        };
        Ok(Some(LinkState {
            to,
            owner: ownership::owner(entry.uid, &self.owner, host)?,
            group: ownership::group(entry.gid, &self.group, host)?,
        }))
    }

    fn check_create(&self, host: &Reading<'_>) -> Result<()> {
        parent::check(&self.path, host)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.make(goal, host),
            Step::Update { goal, change, .. } if change.to.is_some() => self.make(goal, host),
            Step::Update { .. } => {
                let access = ownership::access(None, &self.owner, &self.group, host)?;
                let expected = match self.r#type {
                    LinkType::Symbolic => "a symbolic link",
                    LinkType::Hard => "a regular file",
                };
                uphold_resource::set_access(&self.path, expected, &access, host)
            }
            Step::Remove { current } => self.remove(current, host),
        }
    }
}

/// A hard link stands on its file; a symbolic one may lead nowhere.
impl Claiming for Link {
    fn add_claims(&self, claims: &mut Claims) {
        claims.needs.extend(self.file().map(Claim::Path));
    }
}

/// A hard link is broken when its file is replaced.
impl Watching for Link {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.extend(self.file().map(Interest::Path));
    }
}

impl Link {
    /// The file that a hard link is another name of.
    fn file(&self) -> Option<PathBuf> {
        match self.r#type {
            LinkType::Symbolic => None,
            LinkType::Hard => self.to.get().and_then(Target::path).map(|to| self.beside(to)),
        }
    }

    /// A path that begins at the directory of the link.
    fn beside(&self, to: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("/")).join(to)
    }

    fn symbolic_target(&self, entry: &Entry) -> Result<Target> {
        match &entry.kind {
            EntryKind::Link(target) => Ok(Target::from(target.as_path())),
            EntryKind::File => Ok(Target::other(EntryKind::File.words())),
            kind => Err(self.in_the_way(kind, "a symbolic link")),
        }
    }

    /// A hard link does not know its other names: it is right if it is the file that was asked.
    fn hard_target(&self, entry: &Entry, host: &Reading<'_>) -> Result<Target> {
        if let (Some(wish), Some(file)) = (self.to.get(), self.file())
            && host.files().look(&file)?.is_some_and(|file| file.identity == entry.identity)
        {
            return Ok(wish.clone());
        }
        match &entry.kind {
            EntryKind::File if self.to.is_set() => Ok(Target::other("another file")),
            EntryKind::File => Ok(Target::from(&*self.path)),
            EntryKind::Link(_) => Ok(Target::other(entry.kind.words())),
            kind => Err(self.in_the_way(kind, "a hard link")),
        }
    }

    fn in_the_way(&self, found: &EntryKind, wanted: &str) -> Error {
        wrong_type(&*self.path, found.words(), wanted).hint("move it away, or remove it first")
    }

    /// Makes the link, with the owner that the goal says: a new link would be ours.
    fn make(&self, goal: &LinkGoal, host: &Act<'_>) -> Result<()> {
        let Some(to) = goal.to.path() else {
            return Err(Error::new(ErrorKind::Invalid, format!("{} leads nowhere", self.path)));
        };
        match self.r#type {
            LinkType::Symbolic => host.edits().make_link(&self.path, to)?,
            LinkType::Hard => host.edits().make_hard_link(&self.path, &self.beside(to))?,
        }
        let Some(entry) = host.files().look(&self.path)? else { return Ok(()) };
        let access = self.owner_to_set(goal, &entry, host)?;
        if access == Access::default() {
            return Ok(());
        }
        if !self.is_made(&entry, to, host)? {
            return Err(replaced(&self.path));
        }
        host.edits().set_access(&self.path, &entry, &access)
    }

    /// Whether this is the link that was just made.
    fn is_made(&self, entry: &Entry, to: &Path, host: &Reading<'_>) -> Result<bool> {
        match self.r#type {
            LinkType::Symbolic => Ok(entry.kind == EntryKind::Link(to.to_owned())),
            LinkType::Hard => {
                let file = host.files().look(&self.beside(to))?;
                Ok(file.is_some_and(|file| file.identity == entry.identity))
            }
        }
    }

    fn owner_to_set(&self, goal: &LinkGoal, entry: &Entry, host: &Reading<'_>) -> Result<Access> {
        // Who asked for nothing keeps the owner of a link; a hard link has the owner of its file.
        let keeps = self.r#type == LinkType::Symbolic;
        let owner = goal.owner.as_ref().filter(|_| keeps || self.owner.is_set());
        let group = goal.group.as_ref().filter(|_| keeps || self.group.is_set());
        let uid = owner.map(|owner| owner.id(host)).transpose()?.filter(|uid| *uid != entry.uid);
        let gid = group.map(|group| group.id(host)).transpose()?.filter(|gid| *gid != entry.gid);
        Ok(Access { mode: None, uid, gid })
    }

    fn remove(&self, current: &LinkState, host: &Act<'_>) -> Result<()> {
        match current.to.instead() {
            None => host.edits().remove_file(&self.path),
            Some(words) => {
                let wanted = match self.r#type {
                    LinkType::Symbolic => "a symbolic link",
                    LinkType::Hard => "a hard link to what `to` names",
                };
                Err(wrong_type(&*self.path, words, wanted).hint("remove it as what it is"))
            }
        }
    }
}
