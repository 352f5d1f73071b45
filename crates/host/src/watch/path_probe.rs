//! Probes of paths on the disk, and inotify watches of them.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::inotify::{self, WatchFlags};
use rustix::fs::{AtFlags, CWD, Dir, FileType, OFlags, Statx, StatxAttributes, StatxFlags};
use rustix::io::Errno;

use crate::calls;
use crate::root::Root;

/// The type of an entry. A final link is not followed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PathKind {
    /// It does not exist, as far as we can see.
    Missing,
    /// A directory.
    Directory,
    /// A symbolic link with its target.
    Link(PathBuf),
    /// Anything else.
    Other,
}

/// The state of a path.
pub(super) struct PathState {
    /// Its type.
    pub(super) kind: PathKind,
    /// Whether it can change without an event in its directory: it is a mount point, or a file with other hard links.
    pub(super) shared: bool,
}

/// The state of a path that does not exist.
pub(super) const MISSING: PathState = PathState { kind: PathKind::Missing, shared: false };

/// Probes `path`. Costs one system call on the machine's own root.
pub(super) fn probe(root: &Root, path: &Path) -> PathState {
    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
    match root.under() {
        None => probe_at(CWD, path, flags),
        Some(_) => match root.open(path, OFlags::PATH) {
            Ok(handle) => probe_at(&handle, Path::new(""), flags | AtFlags::EMPTY_PATH),
            Err(_) => MISSING,
        },
    }
}

fn probe_at(directory: impl AsFd, path: &Path, flags: AtFlags) -> PathState {
    let directory = directory.as_fd();
    let (kind, shared) = match calls::statx(directory, path, flags, StatxFlags::TYPE | StatxFlags::NLINK) {
        Ok(found) => (FileType::from_raw_mode(found.stx_mode.into()), is_shared(&found)),
        // Old kernels and old containers do not support statx.
        Err(Errno::NOSYS | Errno::PERM) => match calls::statat(directory, path, flags) {
            Ok(found) => (FileType::from_raw_mode(found.st_mode), false),
            Err(_) => return MISSING,
        },
        Err(_) => return MISSING,
    };
    let kind = match kind {
        FileType::Directory => PathKind::Directory,
        FileType::Symlink => match calls::readlinkat(directory, path) {
            Ok(target) => PathKind::Link(PathBuf::from(OsString::from_vec(target.into_bytes()))),
            Err(_) => PathKind::Missing,
        },
        _ => PathKind::Other,
    };
    PathState { kind, shared }
}

fn is_shared(found: &Statx) -> bool {
    let is_file = FileType::from_raw_mode(found.stx_mode.into()) == FileType::RegularFile;
    let has_other_links = is_file && found.stx_nlink > 1;
    has_other_links || found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT)
}

/// Watches the entry at `path`. Links are followed. Earlier flags of the same watch are kept.
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
            // The kernel would follow absolute links out of the root, so the entry is opened inside, and watched by its handle.
            let handle = root.follow(path, OFlags::PATH)?;
            inotify::add_watch(inotify, format!("/proc/self/fd/{}", handle.as_raw_fd()), what)
        }
    }
}

/// Opens the directory `path` for lookups.
pub(super) fn open(root: &Root, path: &Path) -> rustix::io::Result<OwnedFd> {
    root.follow(path, OFlags::PATH | OFlags::DIRECTORY)
}

/// Whether the directory has no entry of this name.
pub(super) fn is_missing(directory: &OwnedFd, name: &OsStr) -> bool {
    let found = calls::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW);
    found.is_err_and(|errno| errno == Errno::NOENT)
}

/// The names of the subdirectories of `path`; empty if it cannot be read.
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
