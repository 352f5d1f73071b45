//! A file, directory or link in a tree, with its owner and permissions.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use uphold_resource::{Access, Entry, EntryKind};

use super::nodes::Tree;

/// The number of a node. Two names with the same number are hard links of one file.
pub(crate) type Inode = u64;

/// A file, directory, link or anything else, without its names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) body: Body,
    pub(crate) mode: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) modified: SystemTime,
    /// Extended attributes.
    pub(crate) attributes: BTreeMap<String, Vec<u8>>,
    /// The number of its names in the tree.
    pub(crate) links: u64,
    /// The number of its names on the base machine that the tree has not learned.
    pub(crate) other_links: u64,
    /// Its device and inode on the base machine, if it comes from there.
    pub(crate) identity: Option<(u64, u64)>,
}

/// The content of a node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body {
    File(Content),
    Directory(Directory),
    Link(PathBuf),
    Other(&'static str),
}

/// The content of a file. A clone shares it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    InMemory(Arc<[u8]>),
    /// The content of the file at this path of the base machine.
    Below {
        path: Arc<Path>,
        size: u64,
    },
}

impl<T: Into<Arc<[u8]>>> From<T> for Content {
    fn from(content: T) -> Self {
        Content::InMemory(content.into())
    }
}

/// The owner of a new node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

impl Node {
    /// A node without a name.
    pub(crate) fn new(body: Body, mode: u32, owner: Owner, modified: SystemTime) -> Self {
        let Owner { uid, gid } = owner;
        let attributes = BTreeMap::new();
        Self { body, mode, uid, gid, modified, attributes, links: 0, other_links: 0, identity: None }
    }

    /// Changes the access; `None` leaves a part unchanged.
    pub(crate) fn set(&mut self, access: &Access) {
        self.mode = access.mode.unwrap_or(self.mode);
        self.uid = access.uid.unwrap_or(self.uid);
        self.gid = access.gid.unwrap_or(self.gid);
    }

    /// Its whole access.
    pub(crate) fn access(&self) -> Access {
        Access { mode: Some(self.mode), uid: Some(self.uid), gid: Some(self.gid) }
    }

    pub(crate) fn kind(&self) -> EntryKind {
        match &self.body {
            Body::File(_) => EntryKind::File,
            Body::Directory(_) => EntryKind::Directory,
            Body::Link(target) => EntryKind::Link(target.clone()),
            Body::Other(words) => EntryKind::Other(words),
        }
    }

    /// Its type with its article, for messages.
    pub(crate) fn words(&self) -> &'static str {
        match &self.body {
            Body::File(_) => EntryKind::File.words(),
            Body::Directory(_) => EntryKind::Directory.words(),
            Body::Link(_) => "a symbolic link",
            Body::Other(words) => words,
        }
    }

    pub(crate) fn is_file(&self) -> bool {
        matches!(self.body, Body::File(_))
    }

    pub(crate) fn is_directory(&self) -> bool {
        matches!(self.body, Body::Directory(_))
    }

    pub(crate) fn directory(&self) -> Option<&Directory> {
        match &self.body {
            Body::Directory(directory) => Some(directory),
            _ => None,
        }
    }

    /// Its content, if it is a regular file whose content is in memory.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match &self.body {
            Body::File(Content::InMemory(content)) => Some(content),
            _ => None,
        }
    }

    /// The number of its names, as the system counts them.
    pub(crate) fn names(&self) -> u64 {
        self.directory().map_or(self.links + self.other_links, Directory::links)
    }

    pub(crate) fn size(&self) -> u64 {
        match &self.body {
            Body::File(Content::InMemory(content)) => content.len() as u64,
            Body::File(Content::Below { size, .. }) => *size,
            Body::Link(target) => target.as_os_str().len() as u64,
            Body::Directory(directory) => directory.size(),
            Body::Other(_) => 0,
        }
    }
}

/// The set-user-ID and set-group-ID bits.
const SET_USER_ID: u32 = 0o4000;
const SET_GROUP_ID: u32 = 0o2000;

impl Tree {
    /// Changes owner and permissions of a node; of a link, only the owner. Returns the previous ones, and whether nothing changed.
    pub(crate) fn set_access(&mut self, inode: Inode, access: &Access) -> (Access, bool) {
        let node = self.get(inode);
        let goal = node.effective(access);
        let (was, needless) = (node.access(), !node.differs_from(&goal));
        if !needless {
            self.get_mut(inode).set(&goal);
        }
        (was, needless)
    }
}

impl Node {
    /// Whether `access` differs from that of the node.
    pub(crate) fn differs_from(&self, access: &Access) -> bool {
        access.mode.is_some_and(|mode| mode != self.mode)
            || access.uid.is_some_and(|uid| uid != self.uid)
            || access.gid.is_some_and(|gid| gid != self.gid)
    }

    /// The effective access: a link keeps its mode, and a set-ID bit that was not requested is lost with a change of the owner or
    /// group that it applies to.
    pub(crate) fn effective(&self, access: &Access) -> Access {
        let lost_user = if access.uid.is_some_and(|uid| uid != self.uid) { SET_USER_ID } else { 0 };
        let lost_group = if access.gid.is_some_and(|gid| gid != self.gid) { SET_GROUP_ID } else { 0 };
        let mode = match &self.body {
            Body::Link(_) => None,
            Body::Directory(_) => access.mode,
            _ => Some(access.mode.unwrap_or(self.mode & !(lost_user | lost_group))),
        };
        Access { mode, ..*access }
    }
}

// The names in a directory.

/// The names in a directory with their nodes.
///
/// A directory of the base machine has only the names that were learned or changed; the others are unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Directory {
    /// `None` for a name that was removed, whatever the base machine has.
    names: BTreeMap<OsString, Option<Inode>>,
    below: Option<Below>,
    /// How many subdirectories were added.
    put: u64,
    /// How many subdirectories were removed, including original ones.
    taken: u64,
}

/// The directory of the base machine.
#[derive(Clone, Debug, PartialEq)]
struct Below {
    /// Its path without links.
    path: Arc<Path>,
    size: u64,
    links: u64,
}

/// The state of a name in a directory.
pub(crate) enum Name {
    Taken(Inode),
    Free,
    /// Unknown: the base machine must be queried, at this path.
    Unknown(PathBuf),
}

impl Directory {
    /// The directory at `path` of the base machine.
    pub(crate) fn of(path: &Path, entry: &Entry) -> Self {
        let below = Below { path: path.into(), size: entry.size, links: entry.links };
        Self { below: Some(below), ..Self::default() }
    }

    pub(crate) fn get(&self, name: &OsStr) -> Name {
        match (self.names.get(name), &self.below) {
            (Some(Some(inode)), _) => Name::Taken(*inode),
            (None, Some(below)) => Name::Unknown(below.path.join(name)),
            (Some(None) | None, _) => Name::Free,
        }
    }

    /// Remembers the node of a name on the base machine.
    pub(crate) fn learn(&mut self, name: &OsStr, inode: Option<Inode>) {
        self.names.insert(name.to_owned(), inode);
    }

    pub(crate) fn put(&mut self, name: &OsStr, inode: Inode, is_directory: bool) {
        self.put += u64::from(is_directory);
        self.names.insert(name.to_owned(), Some(inode));
    }

    /// Removes a name that exists.
    pub(crate) fn take(&mut self, name: &OsStr, is_directory: bool) {
        self.taken += u64::from(is_directory);
        match &self.below {
            Some(_) => self.names.insert(name.to_owned(), None),
            None => self.names.remove(name),
        };
    }

    /// The known children, sorted by name.
    pub(crate) fn children(&self) -> impl Iterator<Item = (&OsString, Inode)> {
        self.names.iter().filter_map(|(name, inode)| Some((name, (*inode)?)))
    }

    /// Its path on the base machine.
    pub(crate) fn below(&self) -> Option<&Arc<Path>> {
        self.below.as_ref().map(|below| &below.path)
    }

    /// All names, sorted. Unchanged ones are taken from `below`, which must be sorted. Linear.
    pub(crate) fn merged(&self, below: Vec<OsString>) -> Vec<OsString> {
        let mut names = below;
        names.retain(|name| !self.names.contains_key(name));
        names.extend(self.children().map(|(name, _)| name.clone()));
        // Two sorted runs, which this sort merges in one pass.
        names.sort();
        names
    }

    /// Whether it is empty; `below` are the names that the base machine has.
    pub(crate) fn is_empty(&self, below: &[OsString]) -> bool {
        let untouched = |name: &OsString| self.below.is_some() && !self.names.contains_key(name);
        self.children().next().is_none() && !below.iter().any(untouched)
    }

    /// The number of hard links: its name in the parent, its own `.`, and the `..` of each subdirectory. Some file systems do not
    /// count those, and report one.
    pub(crate) fn links(&self) -> u64 {
        match self.below.as_ref().map_or(2, |below| below.links) {
            counted @ 2.. => (counted + self.put).saturating_sub(self.taken),
            uncounted => uncounted,
        }
    }

    pub(crate) fn size(&self) -> u64 {
        self.below.as_ref().map_or(0, |below| below.size)
    }
}
