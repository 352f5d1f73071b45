//! Setup of a machine. Nothing of this is in the journal.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_resource::{Access, Error, ErrorKind, Files, Group, Output, Result, User};

use crate::tree::{Body, Directory, Node, Owner};

use super::MemoryHost;
use super::program::Call;
use super::state::State;

/// Each of these methods panics if the machine cannot be set up like that, so that a wrong test fails immediately.
impl MemoryHost {
    /// Adds a directory to an existing one.
    #[must_use]
    pub fn directory(self, path: impl AsRef<Path>, mode: u32) -> Self {
        self.set_up(path.as_ref(), Body::Directory(Directory::default()), mode)
    }

    /// Adds a regular file.
    #[must_use]
    pub fn file(self, path: impl AsRef<Path>, content: impl AsRef<[u8]>, mode: u32) -> Self {
        self.set_up(path.as_ref(), Body::File(content.as_ref().into()), mode)
    }

    /// Adds a symbolic link to `target`.
    #[must_use]
    pub fn link(self, path: impl AsRef<Path>, target: impl Into<PathBuf>) -> Self {
        self.set_up(path.as_ref(), Body::Link(target.into()), 0o777)
    }

    /// Adds a hard link `path` to the file `target`.
    #[must_use]
    pub fn hard_link(self, path: impl AsRef<Path>, target: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        let linked = || {
            let mut state = self.lock();
            let location = state.locate(path)?;
            let missing = Error::failed("its target does not exist");
            let inode = state.world.tree.find(target.as_ref()).map_err(|_| missing)?;
            let now = state.now;
            state.world.tree.link(location.parent, &location.name, inode, now);
            Ok(())
        };
        set_up(path, linked());
        self
    }

    /// Adds a named pipe.
    #[must_use]
    pub fn pipe(self, path: impl AsRef<Path>, mode: u32) -> Self {
        self.other(path, "a named pipe", mode)
    }

    /// Adds an entry of another type, described as in "a socket".
    #[must_use]
    pub fn other(self, path: impl AsRef<Path>, words: &'static str, mode: u32) -> Self {
        self.set_up(path.as_ref(), Body::Other(words), mode)
    }

    /// Sets the owner of the entry at `path`.
    #[must_use]
    pub fn owned(self, path: impl AsRef<Path>, uid: u32, gid: u32) -> Self {
        self.must_have(path.as_ref());
        self.change_access(path, Access { mode: None, uid: Some(uid), gid: Some(gid) });
        self
    }

    /// Sets an extended attribute of the entry at `path`.
    #[must_use]
    pub fn with_attribute(self, path: impl AsRef<Path>, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.must_have(path.as_ref());
        self.set_attribute(path, name, value);
        self
    }

    fn must_have(&self, path: &Path) {
        let found = self.lock().world.tree.find(path).map(drop);
        set_up(path, found.map_err(|_| Error::failed("it does not exist")));
    }

    /// Adds a user whose group has the same id, and the same name unless that id is taken.
    #[must_use]
    pub fn user(self, name: &str, uid: u32) -> Self {
        let home = if uid == 0 { "/root".into() } else { PathBuf::from(format!("/home/{name}")) };
        self.put_user(User { name: name.to_owned(), uid, gid: uid, home, shell: "/bin/sh".into() });
        let taken = self.lock().world.groups.values().any(|group| group.gid == uid);
        if taken { self } else { self.group(name, uid) }
    }

    /// Adds a group without members.
    #[must_use]
    pub fn group(self, name: &str, gid: u32) -> Self {
        self.put_group(Group { name: name.to_owned(), gid, members: Vec::new() });
        self
    }

    /// Adds a program: a command with this path, or with this name in any directory, calls this function. It may use the machine
    /// through [`Call::host`].
    #[must_use]
    pub fn program(mut self, name: &str, run: impl Fn(&Call<'_>) -> Output + Send + Sync + 'static) -> Self {
        self.machine.take();
        Arc::make_mut(&mut self.programs).insert(name.to_owned(), Arc::new(run));
        self
    }

    /// Opens a port. Every host name can be resolved here.
    #[must_use]
    pub fn listening(self, host: &str, port: u16) -> Self {
        self.open_port(host, port);
        self
    }

    /// Makes Uphold run as this user instead of root.
    #[must_use]
    pub fn running_as(self, uid: u32) -> Self {
        self.lock().uid = uid;
        self
    }

    /// Makes another resource of the run provide `path`.
    #[must_use]
    pub fn managing(self, path: impl Into<PathBuf>) -> Self {
        self.lock().managed.insert(path.into());
        self
    }

    /// Sets the seed of temporary names and random bytes.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        self.lock().seed = seed;
        self
    }

    fn set_up(self, path: &Path, body: Body, mode: u32) -> Self {
        let put = || {
            let mut state = self.lock();
            let location = state.locate(path)?;
            let node = Node::new(body, mode, state.process(), state.now);
            let now = state.now;
            state.world.tree.insert(location.parent, &location.name, node, now);
            Ok(())
        };
        set_up(path, put());
        self
    }
}

fn set_up(path: &Path, result: Result<()>) {
    result.unwrap_or_else(|error| panic!("cannot set up {}: {}", path.display(), error.chain()));
}

// Fixtures: files that a test declares. Nothing here panics or is in the journal.

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
