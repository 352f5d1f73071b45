//! Distinguishes temporary files in use from leftovers of killed runs.
//!
//! The owner of a temporary file or directory holds a shared lock on it (`flock`) while it has that name; the kernel releases
//! the lock with the process. Links cannot be locked: they have their temporary name only for an instant, so an old one is a
//! leftover.

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::calls;
use crate::walk;

/// How long something that cannot be locked counts as in use.
const FRESH: Duration = Duration::from_secs(60);

/// Marks a temporary file or directory as in use while this handle, or a copy of it, is open. Returns false if another
/// process takes it for a leftover and is about to remove it.
pub(crate) fn mark(temporary: impl AsFd) -> bool {
    let marked = calls::flock(temporary, FlockOperation::NonBlockingLockShared);
    // Where locks are not supported, it counts as in use while it is new.
    marked != Err(Errno::WOULDBLOCK)
}

/// Whether a temporary file is in use or a leftover.
pub(super) enum Verdict {
    /// It is in use, or too new to decide.
    InUse,
    /// A leftover. While this handle is open, no other process can decide the same.
    Locked(OwnedFd),
    /// A leftover that cannot be locked, but is old.
    Old,
}

/// Whether the temporary `name`, whose attributes are `stat`, is in use.
pub(super) fn judge(directory: impl AsFd, name: &OsStr, stat: &Stat, now: SystemTime) -> Verdict {
    let kind = FileType::from_raw_mode(stat.st_mode);
    let lockable = kind == FileType::Directory || (kind == FileType::RegularFile && stat.st_nlink == 1);
    if lockable {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let opened = calls::openat(directory, name, flags, Mode::empty());
        if let Ok(opened) = opened.and_then(|opened| Ok((calls::fstat(&opened)?, opened))) {
            let (found, opened) = opened;
            if (found.st_dev, found.st_ino) != (stat.st_dev, stat.st_ino) {
                return Verdict::InUse;
            }
            match calls::flock(&opened, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Verdict::Locked(opened),
                Err(Errno::WOULDBLOCK) => return Verdict::InUse,
                Err(_) => {}
            }
        }
    }
    if is_fresh(stat, now) { Verdict::InUse } else { Verdict::Old }
}

fn is_fresh(stat: &Stat, now: SystemTime) -> bool {
    let changed = Duration::from_secs(u64::try_from(stat.st_ctime).unwrap_or(0));
    now.duration_since(SystemTime::UNIX_EPOCH + changed).is_ok_and(|age| age < FRESH)
}

/// Whether the temporary `name` in `directory` belongs to us or is in use by another run, or vanished meanwhile, as most do.
/// False for a file with such a name that another user left or created.
pub(crate) fn is_own_temporary(directory: impl AsFd, name: &OsStr) -> bool {
    let directory = directory.as_fd();
    let stat = match calls::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(errno) => return errno == Errno::NOENT,
    };
    is_ours(directory, &stat)
        || matches!(judge(directory, name, &stat, SystemTime::now()), Verdict::InUse)
        || is_fresh(&stat, SystemTime::now())
}

/// Whether we created it: it belongs to us, or no other user can create names in that directory. A temporary file gets its
/// final owner before its final name.
pub(super) fn is_ours(directory: impl AsFd, stat: &Stat) -> bool {
    stat.st_uid == rustix::process::geteuid().as_raw()
        || calls::fstat(directory).is_ok_and(|directory| walk::ours_alone(&directory))
}
