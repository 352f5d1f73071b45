//! What a tree keeps for each file, directory or link.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use uphold_resource::{Access, EntryKind};

use super::directory::Directory;

/// The number of a node. Two names with one number are one file.
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
    /// How many names it has in the tree.
    pub(crate) links: u64,
    /// How many more it has on the machine below, which the tree has not learned.
    pub(crate) unseen: u64,
    /// What the machine below knows it by, if it is from there.
    pub(crate) identity: Option<(u64, u64)>,
}

/// What a node holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body {
    File(Content),
    Directory(Directory),
    Link(PathBuf),
    Other(&'static str),
}

/// What a file contains. A clone shares it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    Held(Arc<[u8]>),
    /// What the file at this path of the machine below contains.
    Below {
        path: Arc<Path>,
        size: u64,
    },
}

impl<T: Into<Arc<[u8]>>> From<T> for Content {
    fn from(content: T) -> Self {
        Content::Held(content.into())
    }
}

/// Who owns a new node.
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
        Self { body, mode, uid, gid, modified, attributes, links: 0, unseen: 0, identity: None }
    }

    /// Takes what was asked; what is none stays.
    pub(crate) fn set(&mut self, access: &Access) {
        self.mode = access.mode.unwrap_or(self.mode);
        self.uid = access.uid.unwrap_or(self.uid);
        self.gid = access.gid.unwrap_or(self.gid);
    }

    /// All of its access.
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

    /// What it is, with its article.
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

    /// What it contains, if it is a regular file whose content is held here.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match &self.body {
            Body::File(Content::Held(content)) => Some(content),
            _ => None,
        }
    }

    /// How many names it has, as the system counts them.
    pub(crate) fn names(&self) -> u64 {
        self.directory().map_or(self.links + self.unseen, Directory::links)
    }

    pub(crate) fn size(&self) -> u64 {
        match &self.body {
            Body::File(Content::Held(content)) => content.len() as u64,
            Body::File(Content::Below { size, .. }) => *size,
            Body::Link(target) => target.as_os_str().len() as u64,
            Body::Directory(directory) => directory.size(),
            Body::Other(_) => 0,
        }
    }
}
