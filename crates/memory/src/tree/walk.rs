//! From a path to a node, through links.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use uphold_resource::{Error, ErrorKind, Writers, unsafe_link};

use super::directory::Name;
use super::learn::Unknown;
use super::node::{Body, Inode, Node};
use super::nodes::{ROOT, Tree};

/// As many as Linux follows.
const MOST_LINKS: u32 = 40;

/// Whose links are followed.
#[derive(Clone, Copy)]
pub(crate) enum Trust<'a> {
    /// Everybody's: good enough for looking.
    Anybody,
    /// Those in directories that only root and this user can write.
    RootAnd(u32),
    /// For content that is used elsewhere: those in directories that only root and this user can write. A private group is
    /// no doubt.
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
            Trust::Anybody => true,
            Trust::RootAnd(uid) => Writers::root_and(uid).doubt(owner, mode, || false).is_none(),
            Trust::Reading { uid, is_private_group } => {
                Writers::root_and(uid).doubt(owner, mode, || is_private_group(owner, gid)).is_none()
            }
        }
    }
}

/// Why a walk ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    Missing,
    NotDirectory,
    Loop,
    Unsafe(PathBuf),
    /// The path does not end in a name.
    NoName,
    /// The machine below has to be asked first about a name on the way.
    Unknown(Unknown),
    /// All of the way is known, but not the last name: the machine below can tell, at this path.
    Below(PathBuf),
}

/// A name in a directory.
pub(crate) struct Spot {
    pub(crate) parent: Inode,
    pub(crate) name: OsString,
    /// What is there.
    pub(crate) old: Option<Inode>,
}

impl Tree {
    /// The node at `path`. A final link is not followed.
    pub(crate) fn find(&self, path: &Path) -> Result<Inode, Stop> {
        self.find_trusting(path, Trust::Anybody)
    }

    /// The same; links on the way are followed as far as `trust` goes.
    pub(crate) fn find_trusting(&self, path: &Path, trust: Trust<'_>) -> Result<Inode, Stop> {
        let Some(name) = path.file_name() else { return self.walk(path, trust) };
        let parent = self.walk(parent(path), trust)?;
        self.step(parent, name).map_err(|stop| match stop {
            Stop::Unknown(unknown) => Stop::Below(unknown.path),
            stop => stop,
        })
    }

    /// Where to change `path`: its directory, its name in it, and what is there. [`unreachable_parent`]
    /// says in words why there is no such place.
    pub(crate) fn spot(&self, path: &Path, uid: u32) -> Result<Spot, Stop> {
        let name = path.file_name().ok_or(Stop::NoName)?;
        let parent = self.walk(parent(path), Trust::RootAnd(uid))?;
        let old = match self.step(parent, name) {
            Ok(inode) => Some(inode),
            Err(Stop::Missing) => None,
            Err(stop) => return Err(stop),
        };
        Ok(Spot { parent, name: name.to_owned(), old })
    }

    /// What to change at `path`, which may be the root directory.
    pub(crate) fn reach(&self, path: &Path, uid: u32) -> Result<Option<Inode>, Stop> {
        match path.file_name() {
            Some(_) => self.spot(path, uid).map(|spot| spot.old),
            None => self.walk(path, Trust::RootAnd(uid)).map(Some),
        }
    }

    /// `path` with all links on the way followed, but not the last one, as far as there is something.
    pub(crate) fn real(&self, path: &Path) -> PathBuf {
        let mut rest: Vec<Component<'_>> = path.components().next_back().into_iter().collect();
        for above in path.ancestors().skip(1) {
            if let Ok(walk) = self.go(above, Trust::Anybody) {
                let trail = walk.above.iter().map(|(_, name)| name.as_os_str());
                let rest = rest.iter().rev().map(|component| component.as_os_str());
                return Path::new("/").join(trail.chain(rest).collect::<PathBuf>());
            }
            rest.extend(above.components().next_back());
        }
        path.components().collect()
    }

    /// The node at `path`, all links followed as far as `trust` goes.
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
    /// The directories above, each with the name that was taken in it.
    above: Vec<(Inode, OsString)>,
    here: Inode,
    /// What is left of the path, the next component last.
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

/// Why `path` cannot be changed.
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
