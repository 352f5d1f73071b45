//! Setting a machine up with what somebody else wrote: nothing here panics, and nothing is in the journal.

use std::path::{Path, PathBuf};

use uphold_resource::{Error, ErrorKind, Result};

use super::host::MemoryHost;
use super::state::State;
use crate::tree::{Body, Directory, Node, Owner};

/// What is put somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Furnishing {
    /// A directory.
    Directory,
    /// A regular file with this content.
    File(Vec<u8>),
    /// A symbolic link to this.
    Link(PathBuf),
}

/// What directories get that nobody asked for.
const PARENT: u32 = 0o755;

impl MemoryHost {
    /// Puts something at `path`, which belongs to `uid` and `gid`. Directories above it are made. A directory that is
    /// there gets another mode and owner.
    ///
    /// # Errors
    /// If the path is not absolute, if something else is there, or if something above it is no directory.
    pub fn furnish(&self, path: &Path, what: Furnishing, mode: u32, uid: u32, gid: u32) -> Result<()> {
        if !path.is_absolute() {
            return Err(Error::new(ErrorKind::Invalid, format!("{} is not absolute", path.display())));
        }
        let mut state = self.lock();
        let mut above: Vec<&Path> = path.ancestors().skip(1).collect();
        above.reverse();
        for directory in above {
            state.make_room(directory)?;
        }
        state.put(path, what, mode, Owner { uid, gid })
    }
}

impl State {
    /// Makes a directory that is not there yet.
    fn make_room(&mut self, path: &Path) -> Result<()> {
        match self.world.tree.find(path).is_ok() {
            // Whether it leads to a directory shows when something is put there.
            true => Ok(()),
            false => self.put(path, Furnishing::Directory, PARENT, Owner { uid: 0, gid: 0 }),
        }
    }

    fn put(&mut self, path: &Path, what: Furnishing, mode: u32, owner: Owner) -> Result<()> {
        if let Ok(inode) = self.world.tree.find(path) {
            let node = self.world.tree.get_mut(inode);
            if what != Furnishing::Directory || node.directory().is_none() {
                let message = format!("{} is there already: {}", path.display(), node.words());
                return Err(Error::new(ErrorKind::WrongType, message));
            }
            (node.mode, node.uid, node.gid) = (mode, owner.uid, owner.gid);
            self.report(path);
            return Ok(());
        }
        let body = match what {
            Furnishing::Directory => Body::Directory(Directory::default()),
            Furnishing::File(content) => Body::File(content.into()),
            Furnishing::Link(target) => Body::Link(target),
        };
        let spot = self.spot(path)?;
        let now = self.now;
        self.world.tree.insert(spot.parent, &spot.name, Node::new(body, mode, owner, now), now);
        self.report(path);
        Ok(())
    }
}
