//! Path resolution.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use uphold_resource::{Error, ErrorKind, Writers, unsafe_link};

use super::learn::Unknown;
use super::node::Name;
use super::node::{Body, Inode, Node};
use super::nodes::{ROOT, Tree};

/// The number of links that Linux follows.
const MOST_LINKS: u32 = 40;

/// Which links are followed.
#[derive(Clone, Copy)]
pub(crate) enum Trust<'a> {
    /// All: sufficient to read attributes.
    Anyone,
    /// Links in directories that only root and this user can write.
    RootAnd(u32),
    /// For content that is used elsewhere: links in directories that only root and this user can write. A private group is
    /// trusted.
    Reading {
        /// The user.
        uid: u32,
        /// Whether a group has no member but the owner of a directory.
        is_private_group: &'a dyn Fn(u32, u32) -> bool,
    },
}

impl Trust<'_> {
    /// Whether links in this directory are followed.
    fn admits(self, directory: &Node) -> bool {
        let Node { uid: owner, gid, mode, .. } = *directory;
        match self {
            Trust::Anyone => true,
            Trust::RootAnd(uid) => Writers::root_and(uid).doubt(owner, mode, || false).is_none(),
            Trust::Reading { uid, is_private_group } => {
                Writers::root_and(uid).doubt(owner, mode, || is_private_group(owner, gid)).is_none()
            }
        }
    }
}

/// The reason why a walk ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    Missing,
    NotDirectory,
    Loop,
    Unsafe(PathBuf),
    /// The path does not end in a name.
    NoName,
    /// A name in the path is unknown: the base machine must be queried first.
    Unknown(Unknown),
    /// Only the last name is unknown: the base machine has it, at this path.
    Below(PathBuf),
}

/// The location of an entry: a name in a directory.
pub(crate) struct Location {
    pub(crate) parent: Inode,
    pub(crate) name: OsString,
    /// The existing entry.
    pub(crate) old: Option<Inode>,
}

impl Tree {
    /// The node at `path`. A final link is not followed.
    pub(crate) fn find(&self, path: &Path) -> Result<Inode, Stop> {
        self.find_trusting(path, Trust::Anyone)
    }

    /// The node at `path`; links in the path are followed as far as `trust` allows.
    pub(crate) fn find_trusting(&self, path: &Path, trust: Trust<'_>) -> Result<Inode, Stop> {
        let Some(name) = path.file_name() else { return self.walk(path, trust) };
        let parent = self.walk(parent(path), trust)?;
        self.step(parent, name).map_err(|stop| match stop {
            Stop::Unknown(unknown) => Stop::Below(unknown.path),
            stop => stop,
        })
    }

    /// The location of `path`, for a change. [`unreachable_parent`] makes an error of the reason why there is none.
    pub(crate) fn locate(&self, path: &Path, uid: u32) -> Result<Location, Stop> {
        let name = path.file_name().ok_or(Stop::NoName)?;
        let parent = self.walk(parent(path), Trust::RootAnd(uid))?;
        let old = match self.step(parent, name) {
            Ok(inode) => Some(inode),
            Err(Stop::Missing) => None,
            Err(stop) => return Err(stop),
        };
        Ok(Location { parent, name: name.to_owned(), old })
    }

    /// The entry at `path`, which may be the root directory, for a change.
    pub(crate) fn reach(&self, path: &Path, uid: u32) -> Result<Option<Inode>, Stop> {
        match path.file_name() {
            Some(_) => self.locate(path, uid).map(|location| location.old),
            None => self.walk(path, Trust::RootAnd(uid)).map(Some),
        }
    }

    /// `path` with all links but the last one resolved, as far as it exists.
    pub(crate) fn real(&self, path: &Path) -> PathBuf {
        let mut rest: Vec<Component<'_>> = path.components().next_back().into_iter().collect();
        for above in path.ancestors().skip(1) {
            if let Ok(walk) = self.go(above, Trust::Anyone) {
                let trail = walk.above.iter().map(|(_, name)| name.as_os_str());
                let rest = rest.iter().rev().map(|component| component.as_os_str());
                return Path::new("/").join(trail.chain(rest).collect::<PathBuf>());
            }
            rest.extend(above.components().next_back());
        }
        path.components().collect()
    }

    /// The node at `path`; all links are followed as far as `trust` allows.
    pub(crate) fn walk(&self, path: &Path, trust: Trust<'_>) -> Result<Inode, Stop> {
        self.go(path, trust).map(|walk| walk.here)
    }

    fn go(&self, path: &Path, trust: Trust<'_>) -> Result<Walk, Stop> {
        let mut walk = Walk { above: Vec::new(), here: ROOT, ahead: Vec::new(), links: 0 };
        walk.push(path);
        while let Some(name) = walk.ahead.pop() {
            if name == ".." {
                self.get(walk.here).directory().ok_or(Stop::NotDirectory)?;
                walk.here = walk.above.pop().map_or(ROOT, |(inode, _)| inode);
                continue;
            }
            let next = self.step(walk.here, &name)?;
            match &self.get(next).body {
                Body::Link(target) => walk.follow(self.get(walk.here), &name, target, trust)?,
                _ => walk.above.push((std::mem::replace(&mut walk.here, next), name)),
            }
        }
        Ok(walk)
    }

    fn step(&self, parent: Inode, name: &OsStr) -> Result<Inode, Stop> {
        match self.get(parent).directory().ok_or(Stop::NotDirectory)?.get(name) {
            Name::Taken(inode) => Ok(inode),
            Name::Free => Err(Stop::Missing),
            Name::Unknown(path) => Err(Stop::Unknown(Unknown { parent, name: name.to_owned(), path })),
        }
    }
}

struct Walk {
    /// The directories above, each with the name of the next one.
    above: Vec<(Inode, OsString)>,
    here: Inode,
    /// The remaining components, the next one last.
    ahead: Vec<OsString>,
    links: u32,
}

impl Walk {
    fn push(&mut self, path: &Path) {
        self.ahead.extend(path.components().rev().filter_map(|component| match component {
            Component::Normal(name) => Some(name.to_owned()),
            Component::ParentDir => Some("..".into()),
            _ => None,
        }));
    }

    fn follow(
        &mut self,
        directory: &Node,
        name: &OsStr,
        target: &Path,
        trust: Trust<'_>,
    ) -> Result<(), Stop> {
        self.links += 1;
        if self.links > MOST_LINKS {
            return Err(Stop::Loop);
        }
        if !trust.admits(directory) {
            let trail = self.above.iter().map(|(_, name)| name.as_os_str()).chain([name]);
            return Err(Stop::Unsafe(Path::new("/").join(trail.collect::<PathBuf>())));
        }
        if target.is_absolute() {
            self.here = ROOT;
            self.above.clear();
        }
        self.push(target);
        Ok(())
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}

/// The error for a path that cannot be changed.
///
/// Its kind is [`ErrorKind::ParentMissing`], [`ErrorKind::WrongType`], [`ErrorKind::UnsafeLink`], or
/// [`ErrorKind::Invalid`] for a path that does not end in a name.
pub(crate) fn unreachable_parent(path: &Path, stop: &Stop) -> Error {
    let parent = parent(path);
    let text = format!("cannot reach {}: {} ", path.display(), parent.display());
    match stop {
        Stop::NoName => Error::new(ErrorKind::Invalid, format!("{} does not end in a name", path.display())),
        Stop::Missing | Stop::Unknown(_) | Stop::Below(_) => {
            Error::new(ErrorKind::ParentMissing, text + "does not exist")
                .hint(format!("declare it: directory \"{}\" {{}}", parent.display()))
        }
        Stop::NotDirectory => Error::new(ErrorKind::WrongType, text + "is not a directory"),
        Stop::Loop => Error::failed(text + "leads through too many links"),
        Stop::Unsafe(link) => unsafe_link(link, path),
    }
}
