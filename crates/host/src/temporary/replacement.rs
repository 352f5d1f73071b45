//! Replacement of a directory by a file.
//!
//! The new file is put in a private directory of ours, and exchanged with the old directory. From that moment the old tree is
//! in the private directory, which marks it as a leftover to remove: no other user can have put it there.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{Dir, FileType, Gid, Mode, OFlags, RenameFlags, Stat, Uid};
use rustix::io::Errno;
use uphold_resource::{Result, wrong_type};

use crate::dir_entry::{DirEntry, words};
use crate::io_error::io_error;
use crate::{calls, directory, tree};

use super::file::Temporary;

/// The only name in the private directory.
const INSIDE: &str = "uphold-replaced";

/// A private directory of ours with a temporary name. Dropped, it is removed with its content.
struct PrivateDirectory<'a> {
    entry: &'a DirEntry<'a>,
    name: OsString,
    directory: OwnedFd,
}

/// Puts a file in place of a directory, which is removed with its content.
///
/// # Errors
/// If the file cannot be put there, in which case the old directory is unchanged. If it is in place, and the old directory
/// cannot be removed; the rest of it is a leftover, which the next run removes.
pub(super) fn replace(mut new: Temporary<'_>) -> Result<()> {
    let entry = new.entry();
    let (name, directory) = directory::make_temporary(entry)?;
    let private = PrivateDirectory { entry, name, directory };
    new.move_into(&private.directory, OsStr::new(INSIDE))?;
    let (from, to) = (&private.directory, &entry.directory);
    match calls::renameat_with(from, INSIDE, to, entry.name, RenameFlags::EXCHANGE) {
        Ok(()) => private.remove(),
        // The file system cannot exchange two names, so the name does not exist for a moment.
        Err(Errno::INVAL | Errno::NOSYS) => {
            tree::remove(to, entry.name, entry.path)?;
            calls::renameat(from, INSIDE, to, entry.name)
                .map_err(|errno| entry.error("put into place", errno))?;
            private.remove()
        }
        Err(errno) => Err(entry.error("put into place", errno)),
    }
}

impl PrivateDirectory<'_> {
    fn remove(mut self) -> Result<()> {
        self.remove_once()
    }

    /// Removes the directory; does nothing the second time.
    fn remove_once(&mut self) -> Result<()> {
        let name = std::mem::take(&mut self.name);
        if name.is_empty() {
            return Ok(());
        }
        tree::remove(&self.entry.directory, &name, &self.entry.path.with_file_name(&name))
    }
}

impl Drop for PrivateDirectory<'_> {
    fn drop(&mut self) {
        // The first failure is the one to report.
        let _ = self.remove_once();
    }
}

/// Whether this directory can only have been created here: private, ours, and with nothing but a replaced tree inside.
pub(super) fn is_one(opened: impl AsFd, stat: &Stat) -> bool {
    let private = stat.st_mode & 0o7777 == directory::PRIVATE;
    let ours = stat.st_uid == rustix::process::geteuid().as_raw();
    private && ours && has_nothing_else(opened)
}

fn has_nothing_else(opened: impl AsFd) -> bool {
    let Ok(entries) = Dir::read_from(opened) else { return false };
    let mut names =
        entries.map(|entry| entry.map(|entry| OsStr::from_bytes(entry.file_name().to_bytes()).to_owned()));
    names.all(|name| name.is_ok_and(|name| name == "." || name == ".." || name == INSIDE))
}

// Writing a file that is a mount point, such as `/etc/hosts` in many containers. It cannot be replaced by a rename, so its
// content is overwritten: not in one step.

/// Gives the regular file at `entry` the owner, mode and content of `new`.
pub(super) fn overwrite(entry: &DirEntry<'_>, new: &mut File) -> Result<()> {
    let fail = |errno: Errno| entry.error("write the mounted file", errno);
    let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let mut old =
        File::from(calls::openat(&entry.directory, entry.name, flags, Mode::empty()).map_err(fail)?);
    let (from, to) = (calls::fstat(&*new).map_err(fail)?, calls::fstat(&old).map_err(fail)?);
    if FileType::from_raw_mode(to.st_mode) != FileType::RegularFile {
        return Err(wrong_type(entry.path, words(&to), "a regular file"));
    }
    give(&old, &from, &to).map_err(fail)?;
    let copied = new.seek(SeekFrom::Start(0)).and_then(|_| std::io::copy(new, &mut old));
    let length = copied.map_err(|error| io_error("write the mounted file", entry.path, error))?;
    calls::ftruncate(&old, length).and_then(|()| calls::fsync(&old)).map_err(fail)
}

/// Sets owner and mode first, because the new content may be a secret.
fn give(old: &File, from: &Stat, to: &Stat) -> rustix::io::Result<()> {
    if (from.st_uid, from.st_gid) != (to.st_uid, to.st_gid) {
        calls::fchown(old, Some(Uid::from_raw(from.st_uid)), Some(Gid::from_raw(from.st_gid)))?;
    }
    if from.st_mode == to.st_mode {
        Ok(())
    } else {
        calls::fchmod(old, Mode::from_raw_mode(from.st_mode & 0o7777))
    }
}
