//! Opening files whose content is used elsewhere.
//!
//! # Which links are followed
//! Content that root reads may be copied to where other users can read it. So a link in the path is followed only if no user
//! but root and this one can write its directory: another user could have planted it, and chosen what is read. Without a
//! link in the path this costs one system call, like any open.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::calls;
use crate::root::{Place, Root, trimmed};
use crate::trust::Judge;
use crate::walk::{self, Stop, Trust, Walk};

/// Flags that open anything without waiting.
const FLAGS: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// Opens `path` on the machine to read its content. A final link is not followed, but fails with [`Errno::LOOP`].
pub(crate) fn open(root: &Root, path: &Path) -> Result<OwnedFd, Stop> {
    let path = trimmed(path);
    if let Some(Place { directory, name }) = root.place(path) {
        return Ok(calls::openat(directory, name, FLAGS | OFlags::NOFOLLOW, Mode::empty())?);
    }
    match root.open_without_links(path, FLAGS) {
        Err(errno) if needs_walk(errno) => open_by_walking(root, path),
        other => Ok(other?),
    }
}

fn open_by_walking(root: &Root, path: &Path) -> Result<OwnedFd, Stop> {
    let (parent, name) = match path.file_name() {
        Some(name) => (path.parent().unwrap_or(path), name),
        None => (path, OsStr::new(".")),
    };
    let judge = Judge::of_machine();
    let parent = walk::directory(root, parent, Trust::Judged(&judge))?;
    Ok(calls::openat(parent, name, FLAGS | OFlags::NOFOLLOW, Mode::empty())?)
}

/// Opens a file that a configuration reads. A final link is followed like any other. The user who called `sudo` is trusted,
/// too, as the author of the configuration.
pub(crate) fn open_for_configuration(path: &Path) -> Result<OwnedFd, Stop> {
    let root = Root::machine();
    match root.open_without_links(path, FLAGS) {
        Err(errno) if needs_walk(errno) => {}
        other => return Ok(other?),
    }
    let judge = Judge::new();
    let mut walk = Walk::begin(&root, path, Trust::Judged(&judge))?;
    while let Some(name) = walk.ahead.pop() {
        walk.step(&name)?;
    }
    Ok(reopen(&walk)?)
}

/// Opens the end of a walk for reading. The directory and the file are open already, so the path does not matter any more.
fn reopen(walk: &Walk<'_>) -> rustix::io::Result<OwnedFd> {
    let (Some(directory), Some(name)) = (walk.above.last(), walk.trail.file_name()) else {
        return calls::openat(&walk.here, ".", FLAGS, Mode::empty());
    };
    match calls::openat(directory, name, FLAGS | OFlags::NOFOLLOW, Mode::empty()) {
        // A link in /proc that represents an open file.
        Err(Errno::LOOP) if walk.is_in_proc() => {
            calls::open(calls::path(&walk.here).as_str(), FLAGS, Mode::empty())
        }
        other => other,
    }
}

/// Whether a link is in the path, or the kernel cannot check that.
fn needs_walk(errno: Errno) -> bool {
    matches!(errno, Errno::LOOP | Errno::NOSYS | Errno::PERM | Errno::AGAIN)
}
