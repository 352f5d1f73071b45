//! Changes from outside. They are not in the journal, but reported to watchers.

use std::io;
use std::path::{Path, PathBuf};

use uphold_resource::{Access, Error, Group, Interest, Result, User, wrong_type};

use crate::tree::{Body, Content, Inode, Node, Owner, Stop, Trust};

use super::MemoryHost;
use super::journal::{Edit, Was, Write};
use super::state::State;

impl MemoryHost {
    /// Writes `content` to the file at `path`, which is created if it does not exist.
    ///
    /// # Panics
    /// If that is not possible.
    pub fn tamper(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = path.as_ref();
        let mut state = self.lock();
        let (owner, real) = (state.process(), state.real(path));
        let written = state.write_in_place(path, content.as_ref(), InPlace::Replace, owner);
        written.unwrap_or_else(|error| panic!("cannot tamper with {}: {}", path.display(), error.chain()));
        state.report(&real);
        // A broken link is replaced.
        if real != path {
            state.report(path);
        }
    }

    /// Changes owner or permissions of the entry at `path`, if it exists.
    pub fn change_access(&self, path: impl AsRef<Path>, access: Access) {
        let mut state = self.lock();
        if let Ok(inode) = state.world.tree.find(path.as_ref()) {
            state.world.tree.get_mut(inode).set(&access);
            state.report(path.as_ref());
        }
    }

    /// Sets an extended attribute of the entry at `path`, if it exists.
    pub fn set_attribute(&self, path: impl AsRef<Path>, name: &str, value: impl AsRef<[u8]>) {
        let mut state = self.lock();
        if let Ok(inode) = state.world.tree.find(path.as_ref()) {
            let attributes = &mut state.world.tree.get_mut(inode).attributes;
            attributes.insert(name.to_owned(), value.as_ref().to_vec());
            state.report(path.as_ref());
        }
    }

    /// An extended attribute of the entry at `path`.
    pub fn attribute(&self, path: impl AsRef<Path>, name: &str) -> Option<Vec<u8>> {
        let state = self.lock();
        let inode = state.world.tree.find(path.as_ref()).ok()?;
        state.world.tree.get(inode).attributes.get(name).cloned()
    }

    /// Removes the entry at `path` with its content, if it exists.
    pub fn delete(&self, path: impl AsRef<Path>) {
        self.lock().remove(path.as_ref());
    }

    /// Moves the entry at `from` to `to`, and replaces an existing entry.
    ///
    /// # Panics
    /// If that is not possible.
    pub fn rename(&self, from: impl AsRef<Path>, to: impl AsRef<Path>) {
        let (from, to) = (from.as_ref(), to.as_ref());
        let mut state = self.lock();
        let now = state.now;
        let places = state.place(from).zip(state.place(to)).zip(state.world.tree.find(from).ok());
        let Some(((old, new), inode)) = places.filter(|_| !to.starts_with(from)) else {
            panic!("cannot move {} to {}", from.display(), to.display())
        };
        state.world.tree.link(new.0, new.1, inode, now);
        state.world.tree.unlink(old.0, old.1, now);
        state.report(from);
        state.report(to);
    }

    /// Adds or changes a user.
    pub fn put_user(&self, user: User) {
        self.lock().world.users.insert(user.name.clone(), user);
        self.mailbox.changed(&Interest::Accounts);
    }

    /// Adds or changes a group.
    pub fn put_group(&self, group: Group) {
        self.lock().world.groups.insert(group.name.clone(), group);
        self.mailbox.changed(&Interest::Accounts);
    }

    /// Opens a port.
    pub fn open_port(&self, host: &str, port: u16) {
        self.lock().listening.insert((host.to_owned(), port));
    }

    /// Closes a port.
    pub fn close_port(&self, host: &str, port: u16) {
        self.lock().listening.remove(&(host.to_owned(), port));
    }

    /// Reverts one write: restores the previous state of its path, whatever was written since. A started command cannot be
    /// reverted, but its writes can.
    pub fn revert(&self, write: &Write) {
        let mut state = self.lock();
        match &write.before.0 {
            Was::Absent => state.remove(&write.path),
            Was::Present(image) => {
                if let Some((parent, name)) = state.place(&write.path) {
                    state.world.tree.put_back(parent, name, image);
                }
            }
            Was::Access(access) => {
                if let Ok(inode) = state.world.tree.find(&write.path) {
                    state.world.tree.get_mut(inode).set(access);
                }
            }
            Was::Started => return,
        }
        state.report(&write.path);
    }
}

impl State {
    /// The directory of `path` and its name, if the directory exists.
    fn place<'a>(&self, path: &'a Path) -> Option<(Inode, &'a std::ffi::OsStr)> {
        let parent = self.world.tree.walk(path.parent()?, Trust::Anyone).ok()?;
        self.world.tree.get(parent).directory()?;
        Some((parent, path.file_name()?))
    }

    fn remove(&mut self, path: &Path) {
        if let Some((parent, name)) = self.place(path).filter(|_| self.world.tree.find(path).is_ok()) {
            self.world.tree.unlink(parent, name, self.now);
            self.report(path);
        }
    }
}

// Writes of files in place, as shells and other simple programs do.

/// The mode of a new file of a shell, with the usual umask.
const NEW_FILE: u32 = 0o644;

/// How the existing content is treated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum InPlace {
    Replace,
    Append,
}

impl MemoryHost {
    /// Writes into `path` in place, through links, and records it. A new file belongs to `owner`.
    pub(crate) fn write_in_place(
        &self,
        path: &Path,
        content: &[u8],
        how: InPlace,
        owner: Owner,
    ) -> Result<()> {
        let mut state = self.lock();
        let path = state.real(path);
        state.meet_fault(Edit::Write, &path)?;
        let was = match state.world.tree.find(&path) {
            Ok(inode) => Was::Present(state.world.tree.image(inode)),
            Err(_) => Was::Absent,
        };
        state.write_in_place(&path, content, how, owner)?;
        state.record(Edit::Write, &path, was, false);
        Ok(())
    }
}

impl State {
    /// `path` without links, as far as it exists.
    pub(crate) fn real(&self, path: &Path) -> PathBuf {
        let mut real: PathBuf = path.components().collect();
        // As many links as Linux follows: a loop ends here, and is an error later.
        for _ in 0..40 {
            match self.world.tree.find(&real).map(|inode| &self.world.tree.get(inode).body) {
                Ok(Body::Link(target)) => real = real.parent().unwrap_or(Path::new("/")).join(target),
                _ => break,
            }
        }
        real
    }

    /// Writes into `path` in place; inode, mode and owner stay.
    pub(crate) fn write_in_place(
        &mut self,
        path: &Path,
        content: &[u8],
        how: InPlace,
        owner: Owner,
    ) -> Result<()> {
        let now = self.now;
        let inode = match self.world.tree.walk(path, Trust::Anyone) {
            Ok(inode) => inode,
            Err(Stop::Missing) => {
                let location = self.locate(path)?;
                let owner = self.world.tree.inherit(location.parent, owner);
                let node = Node::new(Body::File([].as_slice().into()), NEW_FILE, owner, now);
                self.world.tree.insert(location.parent, &location.name, node, now)
            }
            Err(_) => return Err(Error::io("write", path, io::ErrorKind::NotADirectory.into())),
        };
        let node = self.world.tree.get_mut(inode);
        let Body::File(Content::InMemory(old)) = &mut node.body else {
            return Err(wrong_type(path, node.words(), "a regular file"));
        };
        *old = match how {
            InPlace::Replace => content.into(),
            InPlace::Append => [old, content].concat().into(),
        };
        node.modified = now;
        Ok(())
    }
}
