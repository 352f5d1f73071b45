//! From a path to a node, through links.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use uphold_resource::{Error, ErrorKind, Result};

use super::node::{Body, Inode, Node};
use super::tree::{ROOT, Tree};

/// As many as Linux follows.
const MOST_LINKS: u32 = 40;

/// Whose links are followed.
#[derive(Clone, Copy)]
pub(crate) enum Trust {
    /// Everybody's: good enough for looking.
    Anybody,
    /// Those in directories that only root and this user can write.
    RootAnd(u32),
}

/// Why a walk ended early.
pub(crate) enum Stop {
    Missing,
    NotDirectory,
    Loop,
    Unsafe(PathBuf),
}

/// A name in a directory.
pub(crate) struct Spot {
    pub(crate) parent: Inode,
    pub(crate) name: OsString,
}

impl Tree {
    /// The node at `path`. A final link is not followed.
    pub(crate) fn find(&self, path: &Path) -> Result<Inode, Stop> {
        let Some(name) = path.file_name() else { return self.walk(path, Trust::Anybody) };
        let parent = self.walk(parent(path), Trust::Anybody)?;
        self.step(parent, name)
    }

    /// Where to change `path`: its directory and its name in it.
    ///
    /// # Errors
    /// [`ErrorKind::ParentMissing`], [`ErrorKind::WrongType`], [`ErrorKind::UnsafeLink`], and
    /// [`ErrorKind::Invalid`] for a path that does not end in a name.
    pub(crate) fn spot(&self, path: &Path, uid: u32) -> Result<Spot> {
        let name = path.file_name().ok_or_else(|| {
            Error::new(ErrorKind::Invalid, format!("{} does not end in a name", path.display()))
        })?;
        let directory = parent(path);
        match self.walk(directory, Trust::RootAnd(uid)) {
            Ok(inode) if self.get(inode).children().is_some() => {
                Ok(Spot { parent: inode, name: name.to_owned() })
            }
            Ok(_) => Err(unreachable_parent(path, directory, &Stop::NotDirectory)),
            Err(stop) => Err(unreachable_parent(path, directory, &stop)),
        }
    }

    /// The node at `path`, all links followed as far as `trust` goes.
    pub(crate) fn walk(&self, path: &Path, trust: Trust) -> Result<Inode, Stop> {
        let mut walk = Walk { above: Vec::new(), here: ROOT, ahead: Vec::new(), links: 0 };
        walk.push(path);
        while let Some(name) = walk.ahead.pop() {
            if name == ".." {
                self.get(walk.here).children().ok_or(Stop::NotDirectory)?;
                walk.here = walk.above.pop().map_or(ROOT, |(inode, _)| inode);
                continue;
            }
            let next = self.step(walk.here, &name)?;
            match &self.get(next).body {
                Body::Link(target) => walk.follow(self.get(walk.here), &name, target, trust)?,
                _ => walk.above.push((std::mem::replace(&mut walk.here, next), name)),
            }
        }
        Ok(walk.here)
    }

    fn step(&self, here: Inode, name: &OsStr) -> Result<Inode, Stop> {
        let children = self.get(here).children().ok_or(Stop::NotDirectory)?;
        children.get(name).copied().ok_or(Stop::Missing)
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

    fn follow(&mut self, directory: &Node, name: &OsStr, target: &Path, trust: Trust) -> Result<(), Stop> {
        self.links += 1;
        if self.links > MOST_LINKS {
            return Err(Stop::Loop);
        }
        if matches!(trust, Trust::RootAnd(uid) if !is_private(directory, uid)) {
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

/// Whether only root and `uid` can change what is in this directory.
fn is_private(directory: &Node, uid: u32) -> bool {
    (directory.uid == 0 || directory.uid == uid) && directory.mode & 0o022 == 0
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}

fn unreachable_parent(path: &Path, parent: &Path, stop: &Stop) -> Error {
    let text = format!("cannot reach {}: {} ", path.display(), parent.display());
    match stop {
        Stop::Missing => Error::new(ErrorKind::ParentMissing, text + "does not exist")
            .hint(format!("declare it: directory \"{}\" {{}}", parent.display())),
        Stop::NotDirectory => Error::new(ErrorKind::WrongType, text + "is not a directory"),
        Stop::Loop => Error::failed(text + "leads through too many links"),
        Stop::Unsafe(link) => {
            let what = "is a symbolic link in a directory that others can write";
            let text = format!("cannot reach {}: {} {what}", path.display(), link.display());
            Error::new(ErrorKind::UnsafeLink, text).hint("name the path that the link leads to")
        }
    }
}
