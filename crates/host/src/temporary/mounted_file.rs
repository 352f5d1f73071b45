//! Writing a file that is a mount point, as `/etc/hosts` is in many containers. Nothing can be renamed over it, so the one
//! that is there gets the new content: not all at once.

use std::fs::File;
use std::io::{Seek, SeekFrom};

use rustix::fs::{FileType, Gid, Mode, OFlags, Stat, Uid};
use rustix::io::Errno;
use uphold_resource::{Error, Result, wrong_type};

use crate::calls;
use crate::spot::{Spot, words};

/// Gives the regular file at `spot` the owner, mode and content of `new`.
pub(super) fn overwrite(spot: &Spot<'_>, new: &mut File) -> Result<()> {
    let fail = |errno: Errno| spot.error("write the mounted file", errno);
    let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let mut old = File::from(calls::openat(&spot.directory, spot.name, flags, Mode::empty()).map_err(fail)?);
    let (from, to) = (calls::fstat(&*new).map_err(fail)?, calls::fstat(&old).map_err(fail)?);
    if FileType::from_raw_mode(to.st_mode) != FileType::RegularFile {
        return Err(wrong_type(spot.path, words(&to), "a regular file"));
    }
    give(&old, &from, &to).map_err(fail)?;
    let copied = new.seek(SeekFrom::Start(0)).and_then(|_| std::io::copy(new, &mut old));
    let length = copied.map_err(|error| Error::io("write the mounted file", spot.path, error))?;
    calls::ftruncate(&old, length).and_then(|()| calls::fsync(&old)).map_err(fail)
}

/// Owner and mode first: the new content may be a secret.
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
