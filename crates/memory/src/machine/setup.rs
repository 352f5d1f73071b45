//! Setting a machine up. Nothing of this is in the journal.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_resource::{Access, Error, Group, Output, Result, User};

use super::host::MemoryHost;
use super::program::Call;
use crate::tree::{Body, Directory, Node};

/// Each of these panics if the machine cannot be set up like that: a test that is wrong should
/// say so at once.
impl MemoryHost {
    /// A directory, in an existing one.
    #[must_use]
    pub fn directory(self, path: impl AsRef<Path>, mode: u32) -> Self {
        self.set_up(path.as_ref(), Body::Directory(Directory::default()), mode)
    }

    /// A regular file.
    #[must_use]
    pub fn file(self, path: impl AsRef<Path>, content: impl AsRef<[u8]>, mode: u32) -> Self {
        self.set_up(path.as_ref(), Body::File(content.as_ref().into()), mode)
    }

    /// A symbolic link to `target`.
    #[must_use]
    pub fn link(self, path: impl AsRef<Path>, target: impl Into<PathBuf>) -> Self {
        self.set_up(path.as_ref(), Body::Link(target.into()), 0o777)
    }

    /// Another name, `path`, of the file `target`.
    #[must_use]
    pub fn hard_link(self, path: impl AsRef<Path>, target: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        let linked = || {
            let mut state = self.lock();
            let spot = state.spot(path)?;
            let missing = Error::failed("its target is not there");
            let inode = state.world.tree.find(target.as_ref()).map_err(|_| missing)?;
            let now = state.now;
            state.world.tree.link(spot.parent, &spot.name, inode, now);
            Ok(())
        };
        set_up(path, linked());
        self
    }

    /// A named pipe.
    #[must_use]
    pub fn pipe(self, path: impl AsRef<Path>, mode: u32) -> Self {
        self.other(path, "a named pipe", mode)
    }

    /// Anything else: `words` say what, as in "a socket".
    #[must_use]
    pub fn other(self, path: impl AsRef<Path>, words: &'static str, mode: u32) -> Self {
        self.set_up(path.as_ref(), Body::Other(words), mode)
    }

    /// What is at `path` belongs to these.
    #[must_use]
    pub fn owned(self, path: impl AsRef<Path>, uid: u32, gid: u32) -> Self {
        self.must_have(path.as_ref());
        self.change_access(path, Access { mode: None, uid: Some(uid), gid: Some(gid) });
        self
    }

    /// What is at `path` has this extended attribute.
    #[must_use]
    pub fn with_attribute(self, path: impl AsRef<Path>, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.must_have(path.as_ref());
        self.set_attribute(path, name, value);
        self
    }

    fn must_have(&self, path: &Path) {
        let found = self.lock().world.tree.find(path).map(drop);
        set_up(path, found.map_err(|_| Error::failed("nothing is there")));
    }

    /// A user whose group has the same number, and the same name unless that number is taken.
    #[must_use]
    pub fn user(self, name: &str, uid: u32) -> Self {
        let home = if uid == 0 { "/root".into() } else { PathBuf::from(format!("/home/{name}")) };
        self.put_user(User { name: name.to_owned(), uid, gid: uid, home, shell: "/bin/sh".into() });
        let taken = self.lock().world.groups.values().any(|group| group.gid == uid);
        if taken { self } else { self.group(name, uid) }
    }

    /// A group without members.
    #[must_use]
    pub fn group(self, name: &str, gid: u32) -> Self {
        self.put_group(Group { name: name.to_owned(), gid, members: Vec::new() });
        self
    }

    /// A program: whatever is started by this path, or by this name in any directory, is this
    /// function. It may use the machine through [`Call::host`].
    #[must_use]
    pub fn program(mut self, name: &str, run: impl Fn(&Call<'_>) -> Output + Send + Sync + 'static) -> Self {
        self.machine.take();
        Arc::make_mut(&mut self.programs).insert(name.to_owned(), Arc::new(run));
        self
    }

    /// Something accepts connections at this port. Every host's name is known here.
    #[must_use]
    pub fn listening(self, host: &str, port: u16) -> Self {
        self.open_port(host, port);
        self
    }

    /// Uphold runs as this user instead of root.
    #[must_use]
    pub fn running_as(self, uid: u32) -> Self {
        self.lock().uid = uid;
        self
    }

    /// Another resource of the run provides `path`.
    #[must_use]
    pub fn managing(self, path: impl Into<PathBuf>) -> Self {
        self.lock().managed.insert(path.into());
        self
    }

    /// Temporary names depend on this number.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        self.lock().seed = seed;
        self
    }

    fn set_up(self, path: &Path, body: Body, mode: u32) -> Self {
        let put = || {
            let mut state = self.lock();
            let spot = state.spot(path)?;
            let node = Node::new(body, mode, state.process(), state.now);
            let now = state.now;
            state.world.tree.insert(spot.parent, &spot.name, node, now);
            Ok(())
        };
        set_up(path, put());
        self
    }
}

fn set_up(path: &Path, result: Result<()>) {
    result.unwrap_or_else(|error| panic!("cannot set up {}: {}", path.display(), error.chain()));
}
