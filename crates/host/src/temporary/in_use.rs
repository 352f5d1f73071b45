//! Whether something under a temporary name is in use, or was left by a run that is gone.
//!
//! Who has a temporary file or directory holds a shared lock on it (`flock`) for as long as it has that name; the kernel
//! drops the lock with the process. Links cannot be locked: they keep their temporary name for an instant only, so an
//! old one is left over.

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::calls;
use crate::walk;

/// What cannot be locked is in use for so long.
const FRESH: Duration = Duration::from_secs(60);

/// Marks a temporary file or directory as in use for as long as this handle, or a copy of it, is open. Returns false if
/// another process has taken it for left over, and is about to remove it.
pub(crate) fn mark(temporary: impl AsFd) -> bool {
    let marked = calls::flock(temporary, FlockOperation::NonBlockingLockShared);
    // Where there are no locks, it is in use as long as it is fresh.
    marked != Err(Errno::WOULDBLOCK)
}

/// How we know that something is left over.
pub(super) enum Verdict {
    /// Somebody has it, or it is too fresh to tell.
    InUse,
    /// Nobody has it, and while this handle is open nobody else can take it for left over.
    Locked(OwnedFd),
    /// It cannot be locked, and is old.
    Old,
}

/// Whether nobody has the temporary `name` any more, of which `stat` was seen.
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

/// Whether what has the temporary name `name` in `directory` is ours, or in use by another run; or is gone by now, as it
/// is with most of them. What another user left or made there under such a name is not.
pub(crate) fn is_passing(directory: impl AsFd, name: &OsStr) -> bool {
    let directory = directory.as_fd();
    let stat = match calls::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(errno) => return errno == Errno::NOENT,
    };
    is_ours(directory, &stat)
        || matches!(judge(directory, name, &stat, SystemTime::now()), Verdict::InUse)
        || is_fresh(&stat, SystemTime::now())
}

/// Whether we made it: it belongs to us, or nobody else can make names in that directory. While it is made it gets the
/// owner that it shall have.
pub(super) fn is_ours(directory: impl AsFd, stat: &Stat) -> bool {
    stat.st_uid == rustix::process::geteuid().as_raw()
        || calls::fstat(directory).is_ok_and(|directory| walk::ours_alone(&directory))
}
