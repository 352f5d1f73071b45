//! Reading a tree.

use std::io;
use std::path::Path;

use uphold_resource::{Entry, Error, ErrorKind, Result, too_large, unsafe_link};

use super::node::Inode;
use super::nodes::Tree;
use super::walk::Stop;

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
