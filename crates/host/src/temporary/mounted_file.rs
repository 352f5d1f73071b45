//! Writing a file that is a mount point, such as `/etc/hosts` in many containers. It cannot be replaced by a rename, so its
//! content is overwritten: not in one step.

use std::fs::File;
use std::io::{Seek, SeekFrom};

use rustix::fs::{FileType, Gid, Mode, OFlags, Stat, Uid};
use rustix::io::Errno;
use uphold_resource::{Result, wrong_type};

use crate::calls;
use crate::dir_entry::{DirEntry, words};
use crate::io_error::io_error;

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
