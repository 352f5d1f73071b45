//! System calls on files, tried again when a signal interrupts them.
//!
//! A slow file system (a network, FUSE) may answer any of them with `EINTR`. Nothing was done then, so a retry is safe, and
//! failing would fail a resource for no reason. This crate uses these instead of those of `rustix::fs`.

use std::ffi::CString;
use std::fs::{DirEntry, Metadata};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustix::fs::{
    AtFlags, FlockOperation, Gid, Mode, OFlags, RenameFlags, ResolveFlags, Stat, Statx, StatxFlags, Uid,
    XattrFlags,
};
use rustix::io::{Result, retry_on_intr};
use rustix::path::Arg;

/// Wraps functions of `rustix::fs` whose first argument is a handle and whose other arguments are `Copy`.
macro_rules! on_handle {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => { $(
        pub(crate) fn $name(handle: impl AsFd, $($argument: $type),*) -> Result<$result> {
            let handle = handle.as_fd();
            retry_on_intr(|| rustix::fs::$name(handle, $($argument),*))
        }
    )* };
}

on_handle! {
    fchmod(mode: Mode) -> ();
    fchown(owner: Option<Uid>, group: Option<Gid>) -> ();
    flock(operation: FlockOperation) -> ();
    fremovexattr(name: impl Arg + Copy) -> ();
    fsetxattr(name: impl Arg + Copy, value: &[u8], flags: XattrFlags) -> ();
    fstat() -> Stat;
    fsync() -> ();
    ftruncate(length: u64) -> ();
    mkdirat(path: impl Arg + Copy, mode: Mode) -> ();
    openat(path: impl Arg + Copy, flags: OFlags, mode: Mode) -> OwnedFd;
    openat2(path: impl Arg + Copy, flags: OFlags, mode: Mode, resolve: ResolveFlags) -> OwnedFd;
    syncfs() -> ();
    statat(path: impl Arg + Copy, flags: AtFlags) -> Stat;
    statx(path: impl Arg + Copy, flags: AtFlags, mask: StatxFlags) -> Statx;
    unlinkat(path: impl Arg + Copy, flags: AtFlags) -> ();
    chmodat(path: impl Arg + Copy, mode: Mode, flags: AtFlags) -> ();
    chownat(path: impl Arg + Copy, owner: Option<Uid>, group: Option<Gid>, flags: AtFlags) -> ();
}

/// The type of the file system of a file, as a number of `statfs(2)`.
pub(crate) fn file_system_type(handle: impl AsFd) -> Result<u64> {
    let handle = handle.as_fd();
    let statfs = retry_on_intr(|| rustix::fs::fstatfs(handle))?;
    u64::try_from(statfs.f_type).map_err(|_| rustix::io::Errno::NOTSUP)
}

pub(crate) fn open(path: impl Arg + Copy, flags: OFlags, mode: Mode) -> Result<OwnedFd> {
    retry_on_intr(|| rustix::fs::open(path, flags, mode))
}

pub(crate) fn readlinkat(directory: impl AsFd, path: impl Arg + Copy) -> Result<CString> {
    let directory = directory.as_fd();
    retry_on_intr(|| rustix::fs::readlinkat(directory, path, Vec::new()))
}

pub(crate) fn removexattr(path: impl Arg + Copy, name: impl Arg + Copy) -> Result<()> {
    retry_on_intr(|| rustix::fs::removexattr(path, name))
}

pub(crate) fn symlinkat(target: impl Arg + Copy, directory: impl AsFd, path: impl Arg + Copy) -> Result<()> {
    let directory = directory.as_fd();
    retry_on_intr(|| rustix::fs::symlinkat(target, directory, path))
}

pub(crate) fn linkat(
    from: impl AsFd,
    old: impl Arg + Copy,
    to: impl AsFd,
    new: impl Arg + Copy,
    flags: AtFlags,
) -> Result<()> {
    let (from, to) = (from.as_fd(), to.as_fd());
    retry_on_intr(|| rustix::fs::linkat(from, old, to, new, flags))
}

pub(crate) fn renameat(
    from: impl AsFd,
    old: impl Arg + Copy,
    to: impl AsFd,
    new: impl Arg + Copy,
) -> Result<()> {
    let (from, to) = (from.as_fd(), to.as_fd());
    retry_on_intr(|| rustix::fs::renameat(from, old, to, new))
}

pub(crate) fn renameat_with(
    from: impl AsFd,
    old: impl Arg + Copy,
    to: impl AsFd,
    new: impl Arg + Copy,
    flags: RenameFlags,
) -> Result<()> {
    let (from, to) = (from.as_fd(), to.as_fd());
    retry_on_intr(|| rustix::fs::renameat_with(from, old, to, new, flags))
}

/// Metadata of `path`. Links are followed.
pub(crate) fn metadata(path: &Path) -> io::Result<Metadata> {
    whole(|| std::fs::metadata(path))
}

/// All entries of a directory, unsorted.
pub(crate) fn entries(path: &Path) -> io::Result<Vec<DirEntry>> {
    whole(|| std::fs::read_dir(path)?.collect())
}

/// `path` without links and `..`.
pub(crate) fn canonical(path: &Path) -> io::Result<PathBuf> {
    whole(|| path.canonicalize())
}

/// Repeats a function of the standard library that makes several system calls. It is repeated as a whole, because it does
/// not report which call was interrupted; so it must only read.
fn whole<T>(mut read: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

// Paths of open files in `/proc`, which is not mounted everywhere.

const DIRECTORY: &str = "/proc/self/fd";

/// The path of an open file, whatever happened to the path that it was opened by.
pub(crate) fn path(handle: impl AsFd) -> String {
    format!("{DIRECTORY}/{}", handle.as_fd().as_raw_fd())
}

/// Whether such paths exist. Checked once.
pub(crate) fn are_available() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    *AVAILABLE.get_or_init(|| metadata(Path::new(DIRECTORY)).is_ok_and(|about| about.is_dir()))
}
