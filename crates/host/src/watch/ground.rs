//! What is really there, and asking the kernel to watch it.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::inotify::{self, WatchFlags};
use rustix::fs::{AtFlags, CWD, Dir, FileType, OFlags, Statx, StatxAttributes, StatxFlags};
use rustix::io::Errno;

use crate::calls;
use crate::root::Root;

/// What is at a path. A final link is not followed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Nature {
    /// Nothing, as far as we may look.
    Nothing,
    /// A directory.
    Directory,
    /// A link to there.
    Link(PathBuf),
    /// Something else.
    Other,
}

/// What is at a path, and whether it can be changed by another way.
pub(super) struct Sight {
    /// What it is.
    pub(super) nature: Nature,
    /// Whether it is the top of something that is mounted, or a file that has other names.
    pub(super) shared: bool,
}

/// Nothing is there.
pub(super) const NOTHING: Sight = Sight { nature: Nature::Nothing, shared: false };

/// Looks at `path`. Costs one system call on the machine's own root.
pub(super) fn look(root: &Root, path: &Path) -> Sight {
    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
    match root.under() {
        None => sight(CWD, path, flags),
        Some(_) => match root.open(path, OFlags::PATH) {
            Ok(handle) => sight(&handle, Path::new(""), flags | AtFlags::EMPTY_PATH),
            Err(_) => NOTHING,
        },
    }
}

fn sight(directory: impl AsFd, path: &Path, flags: AtFlags) -> Sight {
    let directory = directory.as_fd();
    let (kind, shared) = match calls::statx(directory, path, flags, StatxFlags::TYPE | StatxFlags::NLINK) {
        Ok(found) => (FileType::from_raw_mode(found.stx_mode.into()), is_shared(&found)),
        // Old kernels and old containers do not have it.
        Err(Errno::NOSYS | Errno::PERM) => match calls::statat(directory, path, flags) {
            Ok(found) => (FileType::from_raw_mode(found.st_mode), false),
            Err(_) => return NOTHING,
        },
        Err(_) => return NOTHING,
    };
    let nature = match kind {
        FileType::Directory => Nature::Directory,
        FileType::Symlink => match calls::readlinkat(directory, path) {
            Ok(target) => Nature::Link(PathBuf::from(OsString::from_vec(target.into_bytes()))),
            Err(_) => Nature::Nothing,
        },
        _ => Nature::Other,
    };
    Sight { nature, shared }
}

fn is_shared(found: &Statx) -> bool {
    let is_file = FileType::from_raw_mode(found.stx_mode.into()) == FileType::RegularFile;
    let has_names = is_file && found.stx_nlink > 1;
    has_names || found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT)
}

/// Watches what is at `path`, wherever its links lead. What was asked for before stays asked for.
pub(super) fn watch(
    root: &Root,
    inotify: &OwnedFd,
    path: &Path,
    what: WatchFlags,
) -> rustix::io::Result<i32> {
    let what = what | WatchFlags::MASK_ADD;
    match root.under() {
        None => inotify::add_watch(inotify, path, what),
        Some(_) => {
            // The kernel would follow absolute links out of the root: we open it inside, and watch what is open.
            let handle = root.follow(path, OFlags::PATH)?;
            inotify::add_watch(inotify, format!("/proc/self/fd/{}", handle.as_raw_fd()), what)
        }
    }
}

/// Opens the directory `path` for lookups.
pub(super) fn open(root: &Root, path: &Path) -> rustix::io::Result<OwnedFd> {
    root.follow(path, OFlags::PATH | OFlags::DIRECTORY)
}

/// Whether there is no such name in the directory.
pub(super) fn is_missing(directory: &OwnedFd, name: &OsStr) -> bool {
    let found = calls::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW);
    found.is_err_and(|errno| errno == Errno::NOENT)
}

/// The names of the directories directly in the directory `path`. What cannot be read has none.
pub(super) fn directories(root: &Root, path: &Path) -> Vec<OsString> {
    let opened = root.follow(path, OFlags::RDONLY | OFlags::DIRECTORY);
    let Ok(entries) = opened.and_then(|handle| Ok((Dir::read_from(&handle)?, handle))) else {
        return Vec::new();
    };
    let (entries, handle) = entries;
    let is_directory = |name: &std::ffi::CStr, kind: FileType| match kind {
        FileType::Unknown => calls::statat(&handle, name, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::Directory),
        kind => kind == FileType::Directory,
    };
    entries
        .flatten()
        .filter(|entry| !matches!(entry.file_name().to_bytes(), b"." | b".."))
        .filter(|entry| is_directory(entry.file_name(), entry.file_type()))
        .map(|entry| OsString::from_vec(entry.file_name().to_bytes().to_owned()))
        .collect()
}
