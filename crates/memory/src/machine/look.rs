//! Looking at files in memory.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use uphold_resource::{Entry, Error, ErrorKind, Files, Result, wrong_type};

use super::host::MemoryHost;
use super::node::{Body, Inode, Node};
use super::state::State;
use super::walk::Stop;

/// The number of the only device.
const DEVICE: u64 = 1;

impl Files for MemoryHost {
    fn look(&self, path: &Path) -> Result<Option<Entry>> {
        let mut state = self.lock();
        state.note(path);
        match state.world.tree.find(path) {
            Ok(inode) => Ok(Some(entry(&state, inode))),
            Err(Stop::Missing | Stop::NotDirectory) => Ok(None),
            Err(_) => Err(looping("look at", path)),
        }
    }

    fn read(&self, path: &Path, _: u64) -> Result<Vec<u8>> {
        let mut state = self.lock();
        state.note(path);
        let node = state.open("read", path)?;
        match &node.body {
            Body::File(content) => Ok(content.to_vec()),
            _ => Err(wrong_type(path, node.words(), "a regular file")),
        }
    }

    fn list(&self, path: &Path) -> Result<Vec<OsString>> {
        let mut state = self.lock();
        state.note(path);
        let found = state.world.tree.find(path).map(|inode| state.world.tree.get(inode).children());
        match found {
            Ok(Some(children)) => Ok(children.keys().cloned().collect()),
            Err(Stop::Missing) => Err(Error::io("list", path, io::ErrorKind::NotFound.into())),
            Ok(None) | Err(_) => {
                let what = format!("cannot list {}: it is not a directory", path.display());
                Err(Error::new(ErrorKind::WrongType, what))
            }
        }
    }
}

impl State {
    /// Remembers that `path` was looked at, unless a command did.
    fn note(&mut self, path: &Path) {
        if self.running.is_empty() {
            self.looked.insert(path.components().collect());
        }
    }

    /// The node at `path`, which has to be there. A final link is not followed.
    pub(crate) fn open(&self, what: &str, path: &Path) -> Result<&Node> {
        let found = self.world.tree.find(path);
        found.map(|inode| self.world.tree.get(inode)).map_err(|stop| match stop {
            Stop::Missing => Error::io(what, path, io::ErrorKind::NotFound.into()),
            Stop::NotDirectory => Error::io(what, path, io::ErrorKind::NotADirectory.into()),
            Stop::Loop | Stop::Unsafe(_) => looping(what, path),
        })
    }
}

fn entry(state: &State, inode: Inode) -> Entry {
    let node = state.world.tree.get(inode);
    Entry {
        kind: node.kind(),
        mode: node.mode,
        uid: node.uid,
        gid: node.gid,
        size: node.size(),
        links: links(state, node),
        identity: (DEVICE, inode),
        modified: node.modified,
    }
}

/// A directory is also named by its own `.` and by the `..` of each directory inside.
fn links(state: &State, node: &Node) -> u64 {
    let Some(children) = node.children() else { return node.links };
    let is_directory = |inode: &&Inode| state.world.tree.get(**inode).children().is_some();
    2 + children.values().filter(is_directory).count() as u64
}

fn looping(what: &str, path: &Path) -> Error {
    Error::io(what, path, io::Error::other("too many levels of symbolic links"))
}
