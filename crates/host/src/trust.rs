//! Trust in files that act with the permissions of this process: saved plans, kinds, configuration that runs programs.
//!
//! # The rule
//! A file or directory is trusted if only trusted users can have written it: root, the user that Uphold runs as, and, under
//! `sudo`, the user who called it. It must belong to one of them, and neither its group nor others may write it; a group
//! with no member but its owner is fine. The same applies to each directory above it. A directory that others can write is
//! fine only if it is sticky, such as `/tmp`, and the next component is not a link.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use uphold_resource::{Error, ErrorKind, Result, Untrusted, Writers, wrong_type};

use super::calls;
use super::io_error::io_error;
use crate::accounts::AccountFiles;
use crate::dir_entry::words;
use crate::environment::environment;
use crate::root::Root;
use crate::walk::{Trust, Walk};

/// Checks that only trusted users can have written the file at `path` and the directories above it. Links are followed.
///
/// # Errors
/// [`ErrorKind::Rejected`], with the path that is not trusted and the reason; [`ErrorKind::Missing`].
pub fn check_trusted(path: &Path) -> Result<()> {
    check_trusted_in(&Root::machine(), path)
}

/// Like [`check_trusted`], for a file that must be below a directory: no link on its path leads out of it.
///
/// # Errors
/// As [`check_trusted`]; [`ErrorKind::Rejected`] for a link that leads out of the directory.
pub fn check_trusted_below(directory: &Path, path: &Path) -> Result<()> {
    let (above, found) = (find(&Root::machine(), directory)?, find(&Root::machine(), path)?);
    if found.trail.starts_with(&above.trail) {
        return Ok(());
    }
    let (path, directory) = (path.display(), directory.display());
    let error = Error::new(ErrorKind::Rejected, format!("{path} is a link that leads out of {directory}"));
    Err(error.hint("copy the file into the directory"))
}

/// Like [`check_trusted`], below another root.
pub(crate) fn check_trusted_in(root: &Root, path: &Path) -> Result<()> {
    find(root, path).map(drop)
}

/// Opens the regular file at `path` for reading, if [`check_trusted`] accepts it. Exactly the opened file is checked,
/// whatever is renamed meanwhile.
///
/// # Errors
/// As [`check_trusted`]; [`ErrorKind::WrongType`] for anything but a regular file.
pub fn open_trusted(path: &Path) -> Result<File> {
    let found = find(&Root::machine(), path)?;
    let fail = |errno: Errno| io_error("read", path, errno.into());
    let (Some(directory), Some(name)) = (found.above.last(), found.trail.file_name()) else {
        return Err(wrong_type(path, "a directory", "a regular file"));
    };
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = calls::openat(directory, name, flags, Mode::empty()).map_err(fail)?;
    let stat = calls::fstat(&opened).map_err(fail)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(wrong_type(path, words(&stat), "a regular file"));
    }
    let judge = Judge::new();
    match judge.doubt(&opened, &stat) {
        Some(doubt) => Err(judge.refusal(path, &found.trail, doubt)),
        None => Ok(File::from(opened)),
    }
}

/// Walks to `path`, and checks every component.
fn find(root: &Root, path: &Path) -> Result<Walk<'static>> {
    let fail = |errno: Errno| io_error("check", path, errno.into());
    let judge = Judge::new();
    let mut walk = Walk::begin(root, path, Trust::Anyone).map_err(|stop| fail(stop.errno()))?;
    while let Some(name) = walk.ahead.pop() {
        let stat = calls::fstat(&walk.here).map_err(fail)?;
        let doubt = judge.doubt(&walk.here, &stat);
        let (place, links) = (walk.trail.clone(), walk.links);
        walk.step(&name).map_err(|stop| fail(stop.errno()))?;
        match doubt {
            // No other user can replace an entry of ours there; but a link of ours may come from elsewhere.
            Some(doubt) if doubt.spares_entries(stat.st_mode) && walk.links == links => {}
            Some(doubt) => return Err(judge.refusal(path, &place, doubt)),
            None => {}
        }
    }
    let stat = calls::fstat(&walk.here).map_err(fail)?;
    match judge.doubt(&walk.here, &stat) {
        Some(doubt) => Err(judge.refusal(path, &walk.trail, doubt)),
        None => Ok(walk),
    }
}

/// Decides which files are trusted.
pub(crate) struct Judge {
    writers: Writers,
    accounts: AccountFiles,
}

impl Judge {
    /// Trusts root, the user that Uphold runs as, and the one who called `sudo`.
    pub(crate) fn new() -> Self {
        let us = rustix::process::geteuid().as_raw();
        let caller = environment("SUDO_UID").and_then(|uid| uid.parse().ok()).filter(|_| us == 0);
        Self { writers: Writers::root_and(us).and(caller.unwrap_or(us)), accounts: AccountFiles::default() }
    }

    /// Trusts root and the user that Uphold runs as: for files that are not part of the configuration.
    pub(crate) fn of_machine() -> Self {
        let us = rustix::process::geteuid().as_raw();
        Self { writers: Writers::root_and(us), accounts: AccountFiles::default() }
    }

    /// The reason not to trust an open file; `None` if it is trusted.
    pub(crate) fn doubt(&self, opened: &OwnedFd, stat: &Stat) -> Option<Untrusted> {
        self.writers.doubt(stat.st_uid, stat.st_mode, || self.is_private(opened, stat))
    }

    /// Whether the group bits apply only to trusted users: the group has no other member, and no access list is behind the bits.
    fn is_private(&self, opened: &OwnedFd, stat: &Stat) -> bool {
        let private = self.accounts.is_private_group(&Root::machine(), stat.st_uid, stat.st_gid);
        private.unwrap_or(false) && !has_access_list(opened)
    }

    fn refusal(&self, path: &Path, place: &Path, doubt: Untrusted) -> Error {
        let it = if place == path { PathBuf::from("it") } else { place.to_owned() };
        let (it, path) = (it.display(), path.display());
        let why = match doubt {
            Untrusted::Owner(uid) => {
                let name = self.accounts.user_by_id(&Root::machine(), uid).ok().flatten();
                let name = name.map_or_else(|| format!("uid {uid}"), |user| user.name);
                format!("{it} belongs to {name}")
            }
            Untrusted::Writable => format!("others can write {it}"),
        };
        // A hint to change owner or mode would make content trusted that another user has written.
        let hint = "review it, and keep a copy where only you and root can write";
        Error::new(ErrorKind::Rejected, format!("{path} is not trusted: {why}")).hint(hint)
    }
}

fn has_access_list(opened: &OwnedFd) -> bool {
    let handle = calls::path(opened);
    let none: &mut [u8] = &mut [];
    let list = rustix::fs::getxattr(handle.as_str(), "system.posix_acl_access", none);
    !matches!(list, Err(Errno::NODATA | Errno::OPNOTSUPP))
}
