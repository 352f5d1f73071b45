//! Changes from outside: nothing of this is in the journal, but all of it is reported to whoever watches.

use std::path::Path;

use uphold_resource::{Access, Group, Interest, User};

use super::fill::Fill;
use super::host::MemoryHost;
use super::journal::{Was, Write};
use super::state::State;
use crate::tree::{Inode, Trust};

impl MemoryHost {
    /// Somebody writes `content` into the file at `path`, or makes it.
    ///
    /// # Panics
    /// If that cannot be.
    pub fn tamper(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = path.as_ref();
        let mut state = self.lock();
        let (owner, real) = (state.process(), state.real(path));
        let filled = state.fill(path, content.as_ref(), Fill::Replace, owner);
        filled.unwrap_or_else(|error| panic!("cannot tamper with {}: {}", path.display(), error.chain()));
        state.report(&real);
        // A link that leads nowhere is replaced.
        if real != path {
            state.report(path);
        }
    }

    /// Somebody changes owner or permissions of what is at `path`, if anything is there.
    pub fn change_access(&self, path: impl AsRef<Path>, access: Access) {
        let mut state = self.lock();
        if let Ok(inode) = state.world.tree.find(path.as_ref()) {
            state.world.tree.get_mut(inode).set(&access);
            state.report(path.as_ref());
        }
    }

    /// Somebody sets an extended attribute of what is at `path`, if anything is there.
    pub fn set_attribute(&self, path: impl AsRef<Path>, name: &str, value: impl AsRef<[u8]>) {
        let mut state = self.lock();
        if let Ok(inode) = state.world.tree.find(path.as_ref()) {
            let attributes = &mut state.world.tree.get_mut(inode).attributes;
            attributes.insert(name.to_owned(), value.as_ref().to_vec());
            state.report(path.as_ref());
        }
    }

    /// The extended attribute `name` of what is at `path`.
    pub fn attribute(&self, path: impl AsRef<Path>, name: &str) -> Option<Vec<u8>> {
        let state = self.lock();
        let inode = state.world.tree.find(path.as_ref()).ok()?;
        state.world.tree.get(inode).attributes.get(name).cloned()
    }

    /// Somebody removes what is at `path`, with all that is inside. Nothing there is fine, too.
    pub fn delete(&self, path: impl AsRef<Path>) {
        self.lock().remove(path.as_ref());
    }

    /// Somebody moves what is at `from` to `to`, in the place of what is there.
    ///
    /// # Panics
    /// If that cannot be.
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

    /// Somebody adds a user, or changes one.
    pub fn put_user(&self, user: User) {
        self.lock().world.users.insert(user.name.clone(), user);
        self.post.changed(&Interest::Accounts);
    }

    /// Somebody adds a group, or changes one.
    pub fn put_group(&self, group: Group) {
        self.lock().world.groups.insert(group.name.clone(), group);
        self.post.changed(&Interest::Accounts);
    }

    /// Something starts to accept connections at this port.
    pub fn open_port(&self, host: &str, port: u16) {
        self.lock().listening.insert((host.to_owned(), port));
    }

    /// Nothing accepts connections at this port any more.
    pub fn close_port(&self, host: &str, port: u16) {
        self.lock().listening.remove(&(host.to_owned(), port));
    }

    /// Takes one write back: what was at its path is there again, whatever was written since.
    /// A started command cannot be taken back; what it wrote can.
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
    /// The directory of `path` and its name, if there is such a directory.
    fn place<'a>(&self, path: &'a Path) -> Option<(Inode, &'a std::ffi::OsStr)> {
        let parent = self.world.tree.walk(path.parent()?, Trust::Anybody).ok()?;
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
