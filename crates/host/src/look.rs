//! Reading files, directories and their attributes.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::buffer::spare_capacity;
use rustix::fs::{AtFlags, CWD, Dir, FileType, OFlags, Stat};
use rustix::io::Errno;
use uphold_resource::{
    Entry, EntryKind, Error, ErrorKind, READ_LIMIT, Result, too_large, unsafe_link, wrong_type,
};

use super::io_error::io_error;
use crate::dir_entry::words;
use crate::root::{Place, Root, trimmed};
use crate::walk::Stop;
use crate::{calls, source, temporary};

/// How many times a link that changes meanwhile is read again.
const RACES: usize = 8;

/// The buffer size for files without a size, as in `/proc`.
const SMALL: usize = 8 * 1024;

/// The entry at `path`; `None` if it does not exist. One system call if its directory is open or the root is the machine's own,
/// and one more for a link.
pub(crate) fn look(root: &Root, path: &Path) -> Result<Option<Entry>> {
    match attempt(root, trimmed(path)) {
        Ok(entry) => Ok(Some(entry)),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(errno) => Err(io_error("read the attributes of", path, errno.into())),
    }
}

fn attempt(root: &Root, path: &Path) -> rustix::io::Result<Entry> {
    if let Some(Place { directory, name }) = root.place(path) {
        return attempt_in(&*directory, name);
    }
    if root.under().is_some() {
        let opened = root.open(path, OFlags::PATH)?;
        return entry(&calls::fstat(&opened)?, || link_target(&opened, Path::new("")));
    }
    attempt_in(CWD, path)
}

fn attempt_in(directory: impl AsFd, path: &Path) -> rustix::io::Result<Entry> {
    let directory = directory.as_fd();
    for _ in 0..RACES {
        let stat = calls::statat(directory, path, AtFlags::SYMLINK_NOFOLLOW)?;
        match entry(&stat, || link_target(directory, path)) {
            // It was a link a moment ago.
            Err(Errno::INVAL) => {}
            other => return other,
        }
    }
    Err(Errno::AGAIN)
}

fn link_target(directory: impl AsFd, path: &Path) -> rustix::io::Result<PathBuf> {
    let target = calls::readlinkat(directory, path)?;
    Ok(PathBuf::from(OsString::from_vec(target.into_bytes())))
}

/// The entry of an open file that is no link.
pub(crate) fn opened(file: &OwnedFd, path: &Path) -> Result<Entry> {
    let stat = calls::fstat(file).and_then(|stat| entry(&stat, || Err(Errno::LOOP)));
    stat.map_err(|errno| io_error("read the attributes of", path, errno.into()))
}

fn entry(stat: &Stat, target: impl FnOnce() -> rustix::io::Result<PathBuf>) -> rustix::io::Result<Entry> {
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Directory,
        FileType::Symlink => EntryKind::Link(target()?),
        _ => EntryKind::Other(words(stat)),
    };
    Ok(Entry {
        kind,
        mode: stat.st_mode & 0o7777,
        uid: stat.st_uid,
        gid: stat.st_gid,
        size: u64::try_from(stat.st_size).unwrap_or(0),
        links: stat.st_nlink,
        identity: (stat.st_dev, stat.st_ino),
        modified: moment(stat.st_mtime, stat.st_mtime_nsec),
        changed: moment(stat.st_ctime, stat.st_ctime_nsec),
    })
}

fn moment(seconds: i64, nanoseconds: u64) -> SystemTime {
    let span = Duration::from_secs(seconds.unsigned_abs());
    let whole = match seconds {
        0.. => SystemTime::UNIX_EPOCH + span,
        _ => SystemTime::UNIX_EPOCH - span,
    };
    whole + Duration::from_nanos(nanoseconds)
}

/// The content of the regular file at `path`. Costs open, one read and close if `size` is right.
///
/// # Guarantees
/// Never waits for a pipe or a device, and never returns data of one as a file's content unless it has exactly `size` bytes.
/// Follows no link that another user can have planted. Allocates at most `limit` and one byte.
pub(crate) fn read(root: &Root, path: &Path, size: u64, limit: u64) -> Result<Vec<u8>> {
    let file = open_source(root, path)?;
    read_opened(&file, path, size, limit)
}

/// Opens the file at `path` to read its content. It may be a pipe or a device.
pub(crate) fn open_source(root: &Root, path: &Path) -> Result<OwnedFd> {
    source::open(root, path).map_err(|stop| cannot_open(root, path, stop))
}

/// The content of an open regular file, as [`read`].
pub(crate) fn read_opened(file: &OwnedFd, path: &Path, size: u64, limit: u64) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    if let Some(expected) = usize::try_from(size).ok().filter(|expected| *expected > 0 && size <= limit) {
        // One byte more than expected: if it stays unused, the file has ended.
        reserve(&mut content, expected.saturating_add(1), path)?;
        if rustix::io::read(file, spare_capacity(&mut content)) == Ok(expected) {
            return Ok(content);
        }
    }
    read_rest(file, content, path, limit)
}

/// Opens the regular file at `path` for reading in pieces. Never waits for a pipe or a device.
pub(crate) fn open(root: &Root, path: &Path) -> Result<File> {
    let file = open_source(root, path)?;
    let stat = calls::fstat(&file).map_err(|errno| io_error("read", path, errno.into()))?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Ok(File::from(file)),
        _ => Err(wrong_type(path, words(&stat), "a regular file")),
    }
}

/// The content of the regular file that `path` leads to, of at most [`READ_LIMIT`] bytes. Links are followed.
pub(crate) fn read_followed(root: &Root, path: &Path) -> Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = root.follow(path, flags).map_err(|errno| io_error("read", path, errno.into()))?;
    read_rest(&file, Vec::new(), path, READ_LIMIT)
}

/// Reads a regular file to its end, whatever its reported size is, up to `limit`.
pub(crate) fn read_rest(file: &OwnedFd, mut content: Vec<u8>, path: &Path, limit: u64) -> Result<Vec<u8>> {
    let fail = |errno: Errno| io_error("read", path, errno.into());
    let stat = calls::fstat(file).map_err(fail)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(wrong_type(path, words(&stat), "a regular file"));
    }
    let size = u64::try_from(stat.st_size).unwrap_or(0);
    if size > limit {
        return Err(too_large(path, size, limit));
    }
    let size = usize::try_from(size).unwrap_or(0);
    loop {
        // It may grow while it is read.
        if content.len() as u64 > limit {
            return Err(too_large(path, content.len() as u64, limit));
        }
        if content.capacity() == content.len() {
            let missing = size.saturating_sub(content.len()).saturating_add(1);
            let growth = if missing == 1 { SMALL.max(content.len()) } else { missing };
            reserve(&mut content, growth, path)?;
        }
        match rustix::io::read(file, spare_capacity(&mut content)) {
            Ok(0) => return Ok(content),
            // One byte of room was left: a regular file that does not use it has ended.
            Ok(_) if content.len() == size && content.capacity() > size => return Ok(content),
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(fail(errno)),
        }
    }
}

fn reserve(content: &mut Vec<u8>, more: usize, path: &Path) -> Result<()> {
    content.try_reserve_exact(more).map_err(|error| {
        Error::failed(format!("cannot read {}: it is too large", path.display())).because(error)
    })
}

/// The error for a file that cannot be opened. A final link or a socket is reported as such, not by the system's error.
fn cannot_open(root: &Root, path: &Path, stop: Stop) -> Error {
    let errno = match stop {
        Stop::Unsafe(link) => return unsafe_link(&link, path),
        Stop::System(errno) => errno,
    };
    match (errno, look(root, path)) {
        (Errno::LOOP | Errno::NXIO | Errno::NODEV, Ok(Some(entry))) if entry.kind != EntryKind::File => {
            wrong_type(path, entry.kind.words(), "a regular file")
        }
        _ => io_error("read", path, errno.into()),
    }
}

/// The names in the directory `path`, sorted, without temporary names of Uphold. A final link is not followed.
pub(crate) fn list(root: &Root, path: &Path) -> Result<Vec<OsString>> {
    let fail = |errno: Errno| match errno {
        Errno::NOTDIR | Errno::LOOP => {
            Error::new(ErrorKind::WrongType, format!("cannot list {}: it is not a directory", path.display()))
        }
        errno => io_error("list", path, errno.into()),
    };
    let directory = root.open(path, OFlags::RDONLY | OFlags::DIRECTORY).map_err(fail)?;
    let mut names = names(directory).map_err(fail)?;
    names.sort_unstable();
    Ok(names)
}

fn names(directory: OwnedFd) -> rustix::io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    let mut entries = Dir::new(directory)?;
    while let Some(entry) = entries.read() {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        let is_own_temporary = temporary::is_temporary(name)
            && entries.fd().is_ok_and(|fd| temporary::is_own_temporary(fd, name));
        if name != "." && name != ".." && !is_own_temporary {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}
