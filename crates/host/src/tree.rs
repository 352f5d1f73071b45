//! Removal of a directory with its content.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;
use uphold_resource::{Error, Result};

use super::io_error::io_error;
use crate::calls;
use crate::dir_entry::DirEntry;
use crate::root::Root;

/// How many times a directory is emptied again that another process fills.
const ATTEMPTS: u32 = 8;

/// Removes the entry at `path` with its content. See [`remove`].
pub(crate) fn remove_at(root: &Root, path: &Path) -> Result<()> {
    let entry = DirEntry::find(root, path)?;
    remove(&entry.directory, entry.name, path)
}

/// Removes `name` in `parent` with its content.
///
/// # Guarantees
/// - No link is followed and no mount point is entered: a mount point inside is an error.
/// - Few directories are open at once, and nothing recurses, however deep the tree is.
pub(crate) fn remove(parent: &OwnedFd, name: &OsStr, path: &Path) -> Result<()> {
    match calls::unlinkat(parent, name, AtFlags::empty()) {
        Ok(()) => return Ok(()),
        Err(Errno::ISDIR) => {}
        Err(errno) => return Err(io_error("remove", path, errno.into())),
    }
    let mut removal = Removal::enter(parent, name, path)?;
    while removal.step()? {}
    rmdir(parent, name).map_err(|errno| io_error("remove the directory", path, errno.into()))
}

/// A directory that is being emptied.
struct Level {
    /// Its device and inode: `..` of a subdirectory is trusted only if it leads here.
    identity: (u64, u64),
    /// Its subdirectories that are not removed yet.
    left: Vec<OsString>,
    attempts: u32,
}

struct Removal {
    here: OwnedFd,
    levels: Vec<Level>,
    /// The path of `here`, for messages.
    path: PathBuf,
}

impl Removal {
    fn enter(parent: &OwnedFd, name: &OsStr, path: &Path) -> Result<Self> {
        let fail = |errno: Errno| cannot_enter(path, errno);
        let here = open(parent, name).map_err(fail)?;
        let mut removal = Self { levels: Vec::new(), path: path.to_owned(), here };
        removal.begin_level(0)?;
        Ok(removal)
    }

    /// Removes the files in `here`, and records its subdirectories.
    fn begin_level(&mut self, attempts: u32) -> Result<()> {
        let identity = identity(&self.here).map_err(|errno| cannot_enter(&self.path, errno))?;
        let left = self.clear()?;
        self.levels.push(Level { identity, left, attempts });
        Ok(())
    }

    /// Enters the next subdirectory or leaves an empty one; false when the topmost is empty.
    fn step(&mut self) -> Result<bool> {
        let Some(level) = self.levels.last() else { return Ok(false) };
        match level.left.last() {
            Some(name) => {
                self.path.push(name);
                self.here = open(&self.here, name).map_err(|errno| cannot_enter(&self.path, errno))?;
                self.begin_level(0)?;
                Ok(true)
            }
            None if self.levels.len() == 1 => Ok(false),
            None => self.leave().map(|()| true),
        }
    }

    /// Goes up and removes the directory that was left, or empties it again if it was filled meanwhile.
    fn leave(&mut self) -> Result<()> {
        let attempts = self.levels.pop().map_or(0, |level| level.attempts);
        let Some(above) = self.levels.last_mut() else { return Ok(()) };
        let fail = |path: &Path, errno: Errno| io_error("remove the directory", path, errno.into());
        let up = open(&self.here, OsStr::new("..")).map_err(|errno| fail(&self.path, errno))?;
        if identity(&up).map_err(|errno| fail(&self.path, errno))? != above.identity {
            let what = format!("{} was moved while it was removed", self.path.display());
            return Err(Error::failed(what));
        }
        let name = above.left.last().cloned().unwrap_or_default();
        match rmdir(&up, &name) {
            Ok(()) => {
                above.left.pop();
                self.here = up;
                self.path.pop();
                Ok(())
            }
            Err(Errno::NOTEMPTY) if attempts < ATTEMPTS => self.begin_level(attempts + 1),
            Err(errno) => Err(fail(&self.path, errno)),
        }
    }

    /// Removes everything in `here` but its subdirectories, and returns those.
    fn clear(&self) -> Result<Vec<OsString>> {
        let fail = |errno: Errno| io_error("empty the directory", &self.path, errno.into());
        let mut directories = Vec::new();
        for entry in Dir::read_from(&self.here).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            if entry.file_type() == FileType::Directory {
                directories.push(name.to_owned());
                continue;
            }
            match calls::unlinkat(&self.here, name, AtFlags::empty()) {
                Ok(()) | Err(Errno::NOENT) => {}
                // The file system does not report types.
                Err(Errno::ISDIR) => directories.push(name.to_owned()),
                Err(errno) => return Err(io_error("remove", &self.path.join(name), errno.into())),
            }
        }
        Ok(directories)
    }
}

/// Opens a subdirectory, unless it is a link or a mount point.
fn open(directory: &OwnedFd, name: &OsStr) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let resolve = ResolveFlags::NO_XDEV | ResolveFlags::NO_SYMLINKS;
    match calls::openat2(directory, name, flags, Mode::empty(), resolve) {
        Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => {
            let opened = calls::openat(directory, name, flags, Mode::empty())?;
            if identity(&opened)?.0 == identity(directory)?.0 { Ok(opened) } else { Err(Errno::XDEV) }
        }
        other => other,
    }
}

fn identity(directory: impl AsFd) -> rustix::io::Result<(u64, u64)> {
    calls::fstat(directory).map(|stat| (stat.st_dev, stat.st_ino))
}

fn rmdir(parent: &OwnedFd, name: &OsStr) -> rustix::io::Result<()> {
    calls::unlinkat(parent, name, AtFlags::REMOVEDIR)
}

fn cannot_enter(path: &Path, errno: Errno) -> Error {
    match errno {
        Errno::XDEV => Error::failed(format!("cannot remove {}: it is a mount point", path.display()))
            .hint("unmount it first"),
        errno => io_error("remove the directory", path, errno.into()),
    }
}
