//! Owners and permissions of what is there.

use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, FileType, Gid, Mode, OFlags, Stat, Uid};
use rustix::io::Errno;
use uphold_resource::{Access, Entry, EntryKind, Error, Result, replaced};

use crate::calls;
use crate::proc_handles;
use crate::root::{DIRECTORY, Root};
use crate::spot::{Spot, words};

/// The bits that lend the identity of owner and group.
const SET_USER_ID: u32 = 0o4000;
const SET_GROUP_ID: u32 = 0o2000;

/// Changes owner and permissions of what was `seen` at `path`, without following a final link.
pub(crate) fn set(root: &Root, path: &Path, seen: &Entry, access: &Access) -> Result<()> {
    let fail = |errno: Errno| Error::io("set the access of", path, errno.into());
    let opened = if path.file_name().is_none() {
        // The root directory has no name and no parent.
        let directory = root.open_without_links(path, DIRECTORY).map_err(fail)?;
        Opened {
            readable: Some(directory.try_clone().map_err(|error| Error::io("open", path, error))?),
            handle: directory,
        }
    } else {
        Opened::at(&Spot::find(root, path)?, seen)?
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

/// What is to be changed.
struct Opened {
    /// Whatever it is; opening it has no effect. Only `/proc` can change the mode by this.
    handle: OwnedFd,
    /// The same, opened for reading, where there is no `/proc`.
    readable: Option<OwnedFd>,
}

impl Opened {
    fn at(spot: &Spot<'_>, seen: &Entry) -> Result<Self> {
        let open = |flags: OFlags| {
            let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            calls::openat(&spot.directory, spot.name, flags, Mode::empty())
                .map_err(|errno| spot.error("set the access of", errno))
        };
        let handle = open(OFlags::PATH)?;
        let is_harmless = matches!(seen.kind, EntryKind::File | EntryKind::Directory);
        if proc_handles::are_there() || !is_harmless {
            return Ok(Self { handle, readable: None });
        }
        let readable = open(OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY)?;
        match calls::fstat(&readable) {
            Ok(stat) if is_the_same(&stat, seen) => Ok(Self { handle, readable: Some(readable) }),
            _ => Err(replaced(spot.path)),
        }
    }

    /// Takes away first and gives last, so that no moment allows more than before and after.
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
            self.forget_lists()?;
        }
        if !is_link && (moved || goal != old) { self.set_mode(goal) } else { Ok(()) }
    }

    /// Takes access lists away: what the former owner allowed is not the new one's will.
    fn forget_lists(&self) -> rustix::io::Result<()> {
        let path = proc_handles::path(&self.handle);
        for list in ["system.posix_acl_access", "system.posix_acl_default"] {
            let removed = match &self.readable {
                Some(readable) => calls::fremovexattr(readable, list),
                None => calls::removexattr(&*path, list),
            };
            match removed {
                // There is none, nothing of this type can have one, or there is no way to it.
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
            None => calls::chmodat(CWD, &*proc_handles::path(&self.handle), mode, AtFlags::empty()),
        }
    }
}

/// The mode that stays when only the owner is asked for. A set-id bit stays only if the identity that
/// it lends is the same: else a new owner would vouch for a program that is not theirs.
pub(crate) fn kept_mode(stat: &Stat, uid: Option<u32>, gid: Option<u32>) -> u32 {
    let old = stat.st_mode & 0o7777;
    if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
        return old;
    }
    let lost_user = if uid.is_some_and(|uid| uid != stat.st_uid) { SET_USER_ID } else { 0 };
    let lost_group = if gid.is_some_and(|gid| gid != stat.st_gid) { SET_GROUP_ID } else { 0 };
    old & !(lost_user | lost_group)
}
