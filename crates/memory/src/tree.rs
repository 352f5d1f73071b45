//! Files, directories and links in memory.
//!
//! A directory may represent one of a base machine: then a name that was not used yet is
//! [unknown](walk::Stop::Unknown) until the base machine was queried and the tree has [learned](nodes::Tree::learn) it.

mod learn;
mod node;
mod nodes;
mod walk;

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use uphold_resource::{Access, Entry, Error, ErrorKind, NewFile, Result, too_large, unsafe_link, wrong_type};

pub(crate) use learn::Unknown;
pub(crate) use node::{Body, Content, Directory, Inode, Node, Owner};
pub(crate) use nodes::{Image, ROOT, Tree};
pub(crate) use walk::{Location, Stop, Trust, unreachable_parent};

// Reading a tree.

impl Tree {
    pub(crate) fn entry(&self, inode: Inode) -> Entry {
        let node = self.get(inode);
        Entry {
            kind: node.kind(),
            mode: node.mode,
            uid: node.uid,
            gid: node.gid,
            size: node.size(),
            links: node.names(),
            identity: node.identity.unwrap_or((self.device, inode)),
            modified: node.modified,
            changed: node.modified,
        }
    }
}

/// The error for a path with too many links.
pub(crate) fn looping(what: &str, path: &Path) -> Error {
    Error::io(what, path, io::Error::other("too many levels of symbolic links"))
}

impl Stop {
    /// The error for a path that cannot be used.
    pub(crate) fn cannot(&self, what: &str, path: &Path) -> Error {
        match self {
            Stop::NotDirectory => Error::io(what, path, io::ErrorKind::NotADirectory.into()),
            Stop::Loop => looping(what, path),
            Stop::Unsafe(link) => unsafe_link(link, path),
            Stop::Missing | Stop::NoName | Stop::Unknown(_) | Stop::Below(_) => {
                Error::io(what, path, io::ErrorKind::NotFound.into())
            }
        }
    }
}

/// The error for a path that cannot be listed; `None` if it is not a directory.
pub(crate) fn unlistable(path: &Path, stop: Option<&Stop>) -> Error {
    match stop {
        Some(Stop::Missing) => Error::io("list", path, io::ErrorKind::NotFound.into()),
        _ => {
            let what = format!("cannot list {}: it is not a directory", path.display());
            Error::new(ErrorKind::WrongType, what)
        }
    }
}

/// The content of the file at `path`; fails if it is larger than `limit`.
pub(crate) fn within<'a>(path: &Path, content: &'a [u8], limit: u64) -> Result<&'a [u8]> {
    match content.len() as u64 {
        size if size > limit => Err(too_large(path, size, limit)),
        _ => Ok(content),
    }
}

// Changes of one name, with the guarantees of the real machine.

/// The default modes of a new file and a new directory.
const NEW_FILE: u32 = 0o600;
const NEW_DIRECTORY: u32 = 0o700;

/// The author and time of a change.
#[derive(Clone, Copy)]
pub(crate) struct Maker {
    pub(crate) owner: Owner,
    pub(crate) now: SystemTime,
}

/// A name that is about to change. Its methods return whether they wrote only what existed already.
pub(crate) struct Change<'a> {
    pub(crate) tree: &'a mut Tree,
    pub(crate) location: &'a Location,
    pub(crate) path: &'a Path,
    pub(crate) maker: Maker,
}

impl Change<'_> {
    fn old(&self) -> Option<&Node> {
        self.location.old.map(|inode| self.tree.get(inode))
    }

    /// The entry, which must exist.
    fn present(&self, what: &str) -> Result<&Node> {
        self.old().ok_or_else(|| Error::io(what, self.path, io::ErrorKind::NotFound.into()))
    }

    fn put(&mut self, node: Node) {
        self.tree.insert(self.location.parent, &self.location.name, node, self.maker.now);
    }

    fn take(&mut self) {
        self.tree.unlink(self.location.parent, &self.location.name, self.maker.now);
    }

    /// A new node for this name. Its directory may pass on its group.
    fn make(&self, body: Body, mode: u32) -> Node {
        let owner = self.tree.inherit(self.location.parent, self.maker.owner);
        Node::new(body, mode, owner, self.maker.now)
    }

    /// The node of a new file. Attributes that are not requested are taken from the replaced file.
    pub(crate) fn new_file(&self, file: &NewFile<'_>) -> Result<Node> {
        let old = match self.old() {
            Some(old) if !old.is_file() && !file.replace_other => {
                return Err(wrong_type(self.path, old.words(), "a regular file"));
            }
            old => old.filter(|old| old.is_file()),
        };
        let mut node = self.make(Body::File(file.content.into()), NEW_FILE);
        match old {
            Some(old) => {
                node.attributes.clone_from(&old.attributes);
                node.set(&old.access());
                node.set(&old.effective(&file.access));
            }
            None => node.set(&file.access),
        }
        Ok(node)
    }

    pub(crate) fn write(&mut self, file: &NewFile<'_>) -> Result<bool> {
        let node = self.new_file(file)?;
        let needless = self.old().is_some_and(|old| old.body == node.body);
        self.put(node);
        Ok(needless)
    }

    pub(crate) fn make_directory(&mut self, access: &Access) -> Result<bool> {
        match self.old() {
            Some(old) if !old.is_directory() => Err(wrong_type(self.path, old.words(), "a directory")),
            Some(_) => Err(Error::io("make the directory", self.path, io::ErrorKind::AlreadyExists.into())),
            None => {
                let mut node = self.make(Body::Directory(Directory::default()), NEW_DIRECTORY);
                node.set(access);
                self.put(node);
                Ok(false)
            }
        }
    }

    pub(crate) fn make_link(&mut self, target: &Path) -> Result<bool> {
        self.replaceable()?;
        let node = self.make(Body::Link(target.to_owned()), 0o777);
        let needless = self.old().is_some_and(|old| old.body == node.body);
        self.put(node);
        Ok(needless)
    }

    /// Makes it a hard link to `inode`, which was found at `target`.
    pub(crate) fn make_hard_link(&mut self, inode: Inode, target: &Path) -> Result<bool> {
        self.replaceable()?;
        if !self.tree.contains(inode) {
            return Err(no_target(target));
        }
        self.tree.link(self.location.parent, &self.location.name, inode, self.maker.now);
        Ok(self.location.old == Some(inode))
    }

    /// Only a file or a link may be replaced by a link.
    fn replaceable(&self) -> Result<()> {
        match self.old() {
            Some(old) if !matches!(old.body, Body::File(_) | Body::Link(_)) => {
                Err(wrong_type(self.path, old.words(), "a file or a link"))
            }
            _ => Ok(()),
        }
    }

    /// Puts a copy of a regular file here.
    pub(crate) fn copy(&mut self, source: Node) -> Result<bool> {
        let old = self.old();
        if let Some(other) = old.filter(|old| !old.is_file()) {
            return Err(wrong_type(self.path, other.words(), "a regular file"));
        }
        let needless = old.is_some_and(|old| old.body == source.body && !old.differs_from(&source.access()));
        let new = Node { modified: self.maker.now, links: 0, other_links: 0, identity: None, ..source };
        self.put(new);
        Ok(needless)
    }

    /// Removes the entry, a directory with its content. With `only_file`, a directory is an error.
    pub(crate) fn remove(&mut self, only_file: bool) -> Result<bool> {
        if self.present("remove")?.is_directory() && only_file {
            return Err(wrong_type(self.path, "a directory", "a file"));
        }
        self.take();
        Ok(false)
    }

    /// Removes an empty directory; `below` are the names that the base machine has in it.
    pub(crate) fn remove_directory(&mut self, below: &[OsString]) -> Result<bool> {
        let old = self.present("remove the directory")?;
        match old.directory() {
            None => Err(wrong_type(self.path, old.words(), "a directory")),
            Some(directory) if !directory.is_empty(below) => {
                let source = io::ErrorKind::DirectoryNotEmpty.into();
                Err(Error::io("remove the directory", self.path, source))
            }
            Some(_) => {
                self.take();
                Ok(false)
            }
        }
    }
}

impl Tree {
    /// The owner of an entry that `owner` creates in the directory `parent`: a set-group-ID directory passes on its group.
    pub(crate) fn inherit(&self, parent: Inode, owner: Owner) -> Owner {
        let directory = self.get(parent);
        if directory.mode & 0o2000 == 0 { owner } else { Owner { gid: directory.gid, ..owner } }
    }

    /// The file for a hard link.
    pub(crate) fn linkable(&self, found: Option<Inode>, target: &Path) -> Result<Inode> {
        let inode = found.ok_or_else(|| no_target(target))?;
        if self.get(inode).is_directory() {
            Err(wrong_type(target, "a directory", "a file"))
        } else {
            Ok(inode)
        }
    }

    /// The regular file for a copy.
    pub(crate) fn copyable(&self, found: Option<Inode>, from: &Path) -> Result<Node> {
        let missing = || Error::io("read", from, io::ErrorKind::NotFound.into());
        let node = self.get(found.ok_or_else(missing)?);
        if node.is_file() { Ok(node.clone()) } else { Err(wrong_type(from, node.words(), "a regular file")) }
    }
}

fn no_target(target: &Path) -> Error {
    Error::new(ErrorKind::Missing, format!("{} does not exist", target.display()))
}

#[cfg(test)]
mod tests {
    use super::ROOT;
    use super::*;

    /// The file may be removed between the lookup and the creation of the link.
    #[test]
    fn a_removed_file_gets_no_hard_link() {
        let now = SystemTime::UNIX_EPOCH;
        let mut tree = Tree::new(1, now);
        let file = Node::new(Body::File(b"x".as_slice().into()), 0o600, Owner { uid: 0, gid: 0 }, now);
        let inode = tree.insert(ROOT, "f".as_ref(), file, now);
        tree.unlink(ROOT, "f".as_ref(), now);
        let path = Path::new("/g");
        let location = tree.locate(path, 0).expect("the root exists");
        let maker = Maker { owner: Owner { uid: 0, gid: 0 }, now };
        let mut change = Change { tree: &mut tree, location: &location, path, maker };
        let error = change.make_hard_link(inode, Path::new("/f")).expect_err("the target does not exist");
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Missing, "/f does not exist"));
    }
}
