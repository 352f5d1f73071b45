//! A name in an open directory.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Stat};
use rustix::io::Errno;
use uphold_resource::{Error, ErrorKind, Result, sibling_name, unsafe_link};

use super::io_error::io_error;
use crate::calls;
use crate::root::{DIRECTORY, Root};
use crate::temporary;
use crate::walk::{self, Stop, Trust};

/// A name in an open directory, which need not exist. All changes go through the open directory.
pub(crate) struct DirEntry<'a> {
    /// The directory.
    pub(crate) directory: OwnedFd,
    /// The name in it.
    pub(crate) name: &'a OsStr,
    /// The full path, as the user gave it.
    pub(crate) path: &'a Path,
}

impl<'a> DirEntry<'a> {
    /// Opens the directory of `path`. Costs one system call if no link is in the path.
    ///
    /// # Errors
    /// [`ErrorKind::ParentMissing`], [`ErrorKind::UnsafeLink`], and [`ErrorKind::Invalid`] for a path without a last name, such
    /// as `/`.
    pub(crate) fn find(root: &Root, path: &'a Path) -> Result<Self> {
        let name = path.file_name().ok_or_else(|| {
            Error::new(ErrorKind::Invalid, format!("{} does not end in a name", path.display()))
        })?;
        let parent = path.parent().unwrap_or(Path::new("/"));
        Ok(Self { directory: open_parent(root, parent, path)?, name, path })
    }

    /// The attributes of this name; `None` if it does not exist. A link is not followed.
    pub(crate) fn stat(&self) -> Result<Option<Stat>> {
        match calls::statat(&self.directory, self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(self.error("read the attributes of", errno)),
        }
    }

    /// The error of a system call on this name.
    pub(crate) fn error(&self, what: &str, errno: Errno) -> Error {
        io_error(what, self.path, errno.into())
    }

    /// Makes changes of names in the directory survive a power failure.
    pub(crate) fn sync(&self) -> Result<()> {
        match calls::fsync(&self.directory) {
            // Some file systems cannot sync a directory, and one that we may not read is open for lookups only.
            Ok(()) | Err(Errno::INVAL | Errno::BADF | Errno::NOTSUP) => Ok(()),
            Err(errno) => Err(self.error("sync the directory of", errno)),
        }
    }

    /// A hidden sibling: `.NAME.uphold-SUFFIX`.
    pub(crate) fn sibling(&self, suffix: &str) -> OsString {
        sibling_name(self.name, suffix)
    }

    /// A sibling with a random name.
    pub(crate) fn unguessable(&self) -> OsString {
        temporary::unguessable(self.name)
    }
}

/// Opens a directory in which something will be changed. Only safe links are followed.
pub(crate) fn open_directory(root: &Root, path: &Path) -> Result<OwnedFd> {
    open_parent(root, path, path)
}

/// Opens `parent`, the directory of `path`. Only safe links are followed.
fn open_parent(root: &Root, parent: &Path, path: &Path) -> Result<OwnedFd> {
    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    match root.open_without_links(parent, DIRECTORY) {
        Ok(directory) => Ok(directory),
        Err(errno @ (Errno::NOENT | Errno::NOTDIR)) => Err(no_parent(root, parent, path, errno)),
        // A link, an old kernel, a race, or a directory that we may enter but not read.
        Err(_) => walk::directory(root, parent, Trust::RootAndUs).map_err(|stop| match stop {
            Stop::System(errno) => no_parent(root, parent, path, errno),
            Stop::Unsafe(link) => unsafe_link(&link, path),
        }),
    }
}

fn no_parent(root: &Root, parent: &Path, path: &Path, errno: Errno) -> Error {
    let text = format!("cannot reach {}: {} ", path.display(), root.shown(parent).display());
    match errno {
        Errno::NOENT => Error::new(ErrorKind::ParentMissing, text + "does not exist")
            .hint(format!("declare it: directory \"{}\" {{}}", parent.display())),
        Errno::NOTDIR => Error::new(ErrorKind::WrongType, text + "is not a directory"),
        errno => io_error("open the directory", parent, errno.into()),
    }
}

/// The type of a file with its article, for messages.
pub(crate) fn words(stat: &Stat) -> &'static str {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => "a regular file",
        FileType::Directory => "a directory",
        FileType::Symlink => "a symbolic link",
        FileType::Fifo => "a named pipe",
        FileType::Socket => "a socket",
        FileType::CharacterDevice => "a character device",
        FileType::BlockDevice => "a block device",
        FileType::Unknown => "something of an unknown type",
    }
}
