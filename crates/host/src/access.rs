//! Owners and permissions of what is there.

use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, FileType, Gid, Mode, OFlags, Stat, Uid};
use rustix::io::Errno;
use uphold_resource::{Access, Entry, Error, Result, replaced};

use crate::root::Root;
use crate::spot::{Spot, words};

/// The bits that lend the identity of owner and group.
const SET_USER_ID: u32 = 0o4000;
const SET_GROUP_ID: u32 = 0o2000;

/// Changes owner and permissions of what was `seen` at `path`, without following a final link.
pub(crate) fn set(root: &Root, path: &Path, seen: &Entry, access: &Access) -> Result<()> {
    let fail = |errno: Errno| Error::io("set the access of", path, errno.into());
    let opened = open(root, path)?;
    let stat = rustix::fs::fstat(&opened).map_err(fail)?;
    if (stat.st_dev, stat.st_ino) != seen.identity || words(&stat) != seen.kind.words() {
        return Err(replaced(path));
    }
    change(&opened, &stat, access).map_err(fail)
}

/// A handle on what is at `path`, whatever it is; opening it has no effect.
fn open(root: &Root, path: &Path) -> Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fail = |errno: Errno| Error::io("set the access of", path, errno.into());
    if path.file_name().is_none() {
        // The root directory has no name and no parent.
        return root.open_without_links(path).map_err(fail);
    }
    let spot = Spot::find(root, path)?;
    rustix::fs::openat(&spot.directory, spot.name, flags, Mode::empty()).map_err(fail)
}

/// Takes away first and gives last, so that no moment allows more than before and after.
fn change(opened: &OwnedFd, stat: &Stat, access: &Access) -> rustix::io::Result<()> {
    let is_link = FileType::from_raw_mode(stat.st_mode) == FileType::Symlink;
    let old = stat.st_mode & 0o7777;
    let uid = access.uid.filter(|uid| *uid != stat.st_uid);
    let gid = access.gid.filter(|gid| *gid != stat.st_gid);
    let moved = uid.is_some() || gid.is_some();
    let goal = access.mode.unwrap_or_else(|| kept_mode(stat, uid, gid));
    if moved {
        if !is_link && old & !goal != 0 {
            set_mode(opened, old & goal)?;
        }
        let flags = AtFlags::EMPTY_PATH | AtFlags::SYMLINK_NOFOLLOW;
        rustix::fs::chownat(opened, "", uid.map(Uid::from_raw), gid.map(Gid::from_raw), flags)?;
    }
    if uid.is_some() && !is_link {
        forget_lists(opened)?;
    }
    match !is_link && (moved || goal != old) {
        true => set_mode(opened, goal),
        false => Ok(()),
    }
}

/// Takes access lists away: what the former owner allowed is not the new one's will.
fn forget_lists(opened: &OwnedFd) -> rustix::io::Result<()> {
    let handle = format!("/proc/self/fd/{}", opened.as_raw_fd());
    for list in ["system.posix_acl_access", "system.posix_acl_default"] {
        match rustix::fs::removexattr(handle.as_str(), list) {
            // There is none, nothing of this type can have one, or there is no way to it.
            Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP | Errno::NOENT | Errno::NOTDIR) => {}
            Err(errno) => return Err(errno),
        }
    }
    Ok(())
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

/// Changes the mode of what a handle points to. Only `/proc` can do that for a handle that was
/// opened without reading; where it is not mounted, the file has to be opened.
fn set_mode(opened: &OwnedFd, mode: u32) -> rustix::io::Result<()> {
    let mode = Mode::from_raw_mode(mode);
    let handle = format!("/proc/self/fd/{}", opened.as_raw_fd());
    match rustix::fs::chmodat(CWD, handle.as_str(), mode, AtFlags::empty()) {
        Err(Errno::NOENT | Errno::NOTDIR) => rustix::fs::fchmod(opened, mode),
        other => other,
    }
}
