//! Changes of owner and permissions.

use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, FileType, Gid, Mode, OFlags, Stat, Uid};
use rustix::io::Errno;
use uphold_resource::{Access, Entry, EntryKind, Result, replaced};

use super::calls;
use super::io_error::io_error;
use crate::dir_entry::{DirEntry, words};
use crate::root::{DIRECTORY, Root};

/// The set-user-ID and set-group-ID bits.
const SET_USER_ID: u32 = 0o4000;
const SET_GROUP_ID: u32 = 0o2000;

/// Changes owner and permissions of the entry `seen` at `path`, without following a final link.
pub(crate) fn set(root: &Root, path: &Path, seen: &Entry, access: &Access) -> Result<()> {
    let fail = |errno: Errno| io_error("set the permissions of", path, errno.into());
    let opened = if path.file_name().is_none() {
        // The root directory has no name and no parent.
        let directory = root.open_without_links(path, DIRECTORY).map_err(fail)?;
        Opened {
            readable: Some(directory.try_clone().map_err(|error| io_error("open", path, error))?),
            handle: directory,
        }
    } else {
        Opened::at(&DirEntry::find(root, path)?, seen)?
    };
    let stat = calls::fstat(&opened.handle).map_err(fail)?;
    if !is_the_same(&stat, seen) {
        return Err(replaced(path));
    }
    opened.change(&stat, access).map_err(fail)
}

fn is_the_same(stat: &Stat, seen: &Entry) -> bool {
    (stat.st_dev, stat.st_ino) == seen.identity && words(stat) == seen.kind.words()
}

/// An opened entry whose attributes are changed.
struct Opened {
    /// An `O_PATH` handle of any type; opening it has no side effect. The mode can be changed through it only by `/proc`.
    handle: OwnedFd,
    /// The same entry opened for reading, for systems without `/proc`.
    readable: Option<OwnedFd>,
}

impl Opened {
    fn at(entry: &DirEntry<'_>, seen: &Entry) -> Result<Self> {
        let open = |flags: OFlags| {
            let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            calls::openat(&entry.directory, entry.name, flags, Mode::empty())
                .map_err(|errno| entry.error("set the permissions of", errno))
        };
        let handle = open(OFlags::PATH)?;
        let is_harmless = matches!(seen.kind, EntryKind::File | EntryKind::Directory);
        if calls::are_available() || !is_harmless {
            return Ok(Self { handle, readable: None });
        }
        let readable = open(OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY)?;
        match calls::fstat(&readable) {
            Ok(stat) if is_the_same(&stat, seen) => Ok(Self { handle, readable: Some(readable) }),
            _ => Err(replaced(entry.path)),
        }
    }

    /// Removes permissions first and adds them last, so that no intermediate state allows more than the old and new ones.
    fn change(&self, stat: &Stat, access: &Access) -> rustix::io::Result<()> {
        let is_link = FileType::from_raw_mode(stat.st_mode) == FileType::Symlink;
        let old = stat.st_mode & 0o7777;
        let uid = access.uid.filter(|uid| *uid != stat.st_uid);
        let gid = access.gid.filter(|gid| *gid != stat.st_gid);
        let moved = uid.is_some() || gid.is_some();
        let goal = access.mode.unwrap_or_else(|| kept_mode(stat, uid, gid));
        if moved {
            if !is_link && old & !goal != 0 {
                self.set_mode(old & goal)?;
            }
            let flags = AtFlags::EMPTY_PATH | AtFlags::SYMLINK_NOFOLLOW;
            calls::chownat(&self.handle, "", uid.map(Uid::from_raw), gid.map(Gid::from_raw), flags)?;
        }
        if uid.is_some() && !is_link {
            self.remove_access_lists()?;
        }
        if !is_link && (moved || goal != old) { self.set_mode(goal) } else { Ok(()) }
    }

    /// Removes access control lists: the previous owner granted them, not the new one.
    fn remove_access_lists(&self) -> rustix::io::Result<()> {
        let path = calls::path(&self.handle);
        for list in ["system.posix_acl_access", "system.posix_acl_default"] {
            let removed = match &self.readable {
                Some(readable) => calls::fremovexattr(readable, list),
                None => calls::removexattr(&*path, list),
            };
            match removed {
                // The list does not exist, this type cannot have one, or `/proc` is missing.
                Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP | Errno::NOENT | Errno::NOTDIR) => {}
                Err(errno) => return Err(errno),
            }
        }
        Ok(())
    }

    fn set_mode(&self, mode: u32) -> rustix::io::Result<()> {
        let mode = Mode::from_raw_mode(mode);
        match &self.readable {
            Some(readable) => calls::fchmod(readable, mode),
            None => calls::chmodat(CWD, &*calls::path(&self.handle), mode, AtFlags::empty()),
        }
    }
}

/// The mode to keep when only the owner changes. A set-ID bit is kept only if the user or group that it applies to stays
/// the same: otherwise a program of the old owner would run with the new owner's permissions.
pub(crate) fn kept_mode(stat: &Stat, uid: Option<u32>, gid: Option<u32>) -> u32 {
    let old = stat.st_mode & 0o7777;
    if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
        return old;
    }
    let lost_user = if uid.is_some_and(|uid| uid != stat.st_uid) { SET_USER_ID } else { 0 };
    let lost_group = if gid.is_some_and(|gid| gid != stat.st_gid) { SET_GROUP_ID } else { 0 };
    old & !(lost_user | lost_group)
}
