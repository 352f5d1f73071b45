//! What a machine in memory keeps for each file, directory or link.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use uphold_resource::{Access, EntryKind};

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
    /// How many names it has.
    pub(crate) links: u64,
}

/// What a node holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body {
    File(Arc<[u8]>),
    Directory(BTreeMap<OsString, Inode>),
    Link(PathBuf),
    Other(&'static str),
}

/// Owner and mode of a new node, all of it known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

impl Node {
    /// A node without a name.
    pub(crate) fn new(body: Body, mode: u32, owner: Owner, modified: SystemTime) -> Self {
        let attributes = BTreeMap::new();
        Self { body, mode, uid: owner.uid, gid: owner.gid, modified, attributes, links: 0 }
    }

    /// The same, with what was asked; what is none stays.
    pub(crate) fn with(mut self, access: &Access) -> Self {
        self.mode = access.mode.unwrap_or(self.mode);
        self.uid = access.uid.unwrap_or(self.uid);
        self.gid = access.gid.unwrap_or(self.gid);
        self
    }

    /// All of its access.
    pub(crate) fn access(&self) -> Access {
        Access { mode: Some(self.mode), uid: Some(self.uid), gid: Some(self.gid) }
    }

    pub(crate) fn owner(&self) -> Owner {
        Owner { uid: self.uid, gid: self.gid }
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
        self.kind().words()
    }

    pub(crate) fn is_file(&self) -> bool {
        matches!(self.body, Body::File(_))
    }

    /// Its names and numbers, if it is a directory.
    pub(crate) fn children(&self) -> Option<&BTreeMap<OsString, Inode>> {
        match &self.body {
            Body::Directory(children) => Some(children),
            _ => None,
        }
    }

    pub(crate) fn size(&self) -> u64 {
        match &self.body {
            Body::File(content) => content.len() as u64,
            Body::Link(target) => target.as_os_str().len() as u64,
            Body::Directory(_) | Body::Other(_) => 0,
        }
    }
}
