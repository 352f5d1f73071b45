//! Fixtures: files that a test declares. Nothing here panics or is in the journal.

use std::path::{Path, PathBuf};

use uphold_resource::{Error, ErrorKind, Files, Group, Result, User};

use super::host::MemoryHost;
use super::state::State;
use crate::tree::{Body, Directory, Node, Owner};

/// An entry that is put on the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fixture {
    /// A directory.
    Directory,
    /// A regular file with this content.
    File(Vec<u8>),
    /// A symbolic link to this path.
    Link(PathBuf),
}

/// The mode of parent directories.
const PARENT: u32 = 0o755;

impl MemoryHost {
    /// Puts an entry at `path`, which belongs to `uid` and `gid`. Missing parent directories are created. An existing directory
    /// gets the mode and owner.
    ///
    /// # Errors
    /// If the path is not absolute, if something else exists there, or if a component above it is not a directory.
    pub fn furnish(&self, path: &Path, what: Fixture, mode: u32, uid: u32, gid: u32) -> Result<()> {
        if !path.is_absolute() {
            return Err(Error::new(ErrorKind::Invalid, format!("{} is not absolute", path.display())));
        }
        let mut state = self.lock();
        let mut parents: Vec<&Path> = path.ancestors().skip(1).collect();
        parents.reverse();
        for directory in parents {
            state.make_parent(directory)?;
        }
        state.put(path, what, mode, Owner { uid, gid })
    }

    /// Writes the accounts to `/etc/passwd` and `/etc/group`, unless the file exists.
    ///
    /// # Errors
    /// If something other than a directory is at `/etc`.
    pub fn furnish_account_files(&self) -> Result<()> {
        let (mut passwd, mut group) = (String::new(), String::new());
        for User { name, uid, gid, home, shell } in self.lock().world.users.values() {
            passwd += &format!("{name}:x:{uid}:{gid}::{}:{}\n", home.display(), shell.display());
        }
        for Group { name, gid, members } in self.lock().world.groups.values() {
            group += &format!("{name}:x:{gid}:{}\n", members.join(","));
        }
        for (path, content) in [("/etc/passwd", passwd), ("/etc/group", group)] {
            let path = Path::new(path);
            if self.look(path)?.is_none() {
                self.furnish(path, Fixture::File(content.into_bytes()), 0o644, 0, 0)?;
            }
        }
        Ok(())
    }
}

impl State {
    /// Creates a directory that does not exist.
    fn make_parent(&mut self, path: &Path) -> Result<()> {
        if self.world.tree.find(path).is_ok() {
            // Whether it is a directory is checked when something is put there.
            Ok(())
        } else {
            self.put(path, Fixture::Directory, PARENT, Owner { uid: 0, gid: 0 })
        }
    }

    fn put(&mut self, path: &Path, what: Fixture, mode: u32, owner: Owner) -> Result<()> {
        if let Ok(inode) = self.world.tree.find(path) {
            let node = self.world.tree.get_mut(inode);
            if what != Fixture::Directory || node.directory().is_none() {
                let message = format!("{} exists already: {}", path.display(), node.words());
                return Err(Error::new(ErrorKind::WrongType, message));
            }
            (node.mode, node.uid, node.gid) = (mode, owner.uid, owner.gid);
            self.report(path);
            return Ok(());
        }
        let body = match what {
            Fixture::Directory => Body::Directory(Directory::default()),
            Fixture::File(content) => Body::File(content.into()),
            Fixture::Link(target) => Body::Link(target),
        };
        let location = self.locate(path)?;
        let now = self.now;
        self.world.tree.insert(location.parent, &location.name, Node::new(body, mode, owner, now), now);
        self.report(path);
        Ok(())
    }
}
