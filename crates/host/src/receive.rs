//! Files that are received in pieces, across runs.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;
use uphold_resource::{Error, ErrorKind, Place, Receiver, Result};

use super::io_error::io_error;
use crate::calls;
use crate::dir_entry::DirEntry;
use crate::root::Root;
use crate::temporary::Temporary;
use crate::write;

/// Only this user can open it.
const PRIVATE: Mode = Mode::RUSR.union(Mode::WUSR);

/// Bytes that are read at once for a review.
const PIECE: usize = 64 * 1024;

/// The received content: `.NAME.uphold-partial`, beside the path.
pub(crate) struct Partial<'a> {
    root: &'a Root,
    entry: DirEntry<'a>,
    name: OsString,
    file: File,
    length: u64,
}

/// Resumes with the content that an earlier run left for `path`, or starts again.
///
/// # Guarantees
/// - Only a regular file of this user, with no other hard link, that no other user could open is resumed.
/// - No other run receives at the same path at the same time: the file is locked while it is open.
///
/// # Errors
/// If another run receives at `path`.
pub(crate) fn receive<'a>(root: &'a Root, path: &'a Path) -> Result<Partial<'a>> {
    let entry = DirEntry::find(root, path)?;
    let name = entry.sibling("partial");
    let file = match resume(&entry, &name)? {
        Some(file) => file,
        None => begin(&entry, &name)?,
    };
    lock(&entry, &name, &file)?;
    let length = calls::fstat(&file)
        .map_err(|errno| entry.error("read the attributes of the partial content of", errno))?;
    let length = u64::try_from(length.st_size).unwrap_or(0);
    let mut partial = Partial { root, entry, name, file, length };
    partial.seek(SeekFrom::End(0))?;
    Ok(partial)
}

/// The content of an earlier run; `None` if there is none that can be trusted.
fn resume(entry: &DirEntry<'_>, name: &OsString) -> Result<Option<File>> {
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = match calls::openat(&entry.directory, name, flags, Mode::empty()) {
        Ok(opened) => opened,
        Err(Errno::NOENT) => return Ok(None),
        // Whatever it is, it is not ours.
        Err(_) => return remove(entry, name).map(|()| None),
    };
    let stat = calls::fstat(&opened)
        .map_err(|errno| entry.error("read the attributes of the partial content of", errno))?;
    if is_ours(&stat) {
        return Ok(Some(File::from(opened)));
    }
    // Another run gives its file the final mode before the rename. Removed, that run would put ours in place instead.
    if is_of_this_user(&stat)
        && calls::flock(&opened, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK)
    {
        return Err(received_elsewhere(entry));
    }
    remove(entry, name).map(|()| None)
}

fn is_ours(stat: &Stat) -> bool {
    is_of_this_user(stat) && stat.st_mode & 0o7777 == PRIVATE.as_raw_mode()
}

fn is_of_this_user(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
        && stat.st_uid == rustix::process::geteuid().as_raw()
        && stat.st_nlink == 1
}

fn remove(entry: &DirEntry<'_>, name: &OsString) -> Result<()> {
    match calls::unlinkat(&entry.directory, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(errno) => Err(entry.error("remove the partial content of", errno)),
    }
}

fn begin(entry: &DirEntry<'_>, name: &OsString) -> Result<File> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = calls::openat(&entry.directory, name, flags, PRIVATE);
    opened.map(File::from).map_err(|errno| entry.error("create a temporary file beside", errno))
}

/// Locks the path against other runs. Also fails if another run has just put the file in place or removed it.
fn lock(entry: &DirEntry<'_>, name: &OsString, file: &File) -> Result<()> {
    let fail = |errno| entry.error("lock the partial content of", errno);
    let is_locked = match calls::flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => true,
        Err(Errno::WOULDBLOCK) => false,
        Err(errno) => return Err(fail(errno)),
    };
    let held = calls::fstat(file).map_err(fail)?;
    let named = calls::statat(&entry.directory, name, AtFlags::SYMLINK_NOFOLLOW);
    let is_named = named.is_ok_and(|named| (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino));
    if is_locked && is_named { Ok(()) } else { Err(received_elsewhere(entry)) }
}

fn received_elsewhere(entry: &DirEntry<'_>) -> Error {
    let what = format!("another run is receiving {}", entry.path.display());
    Error::new(ErrorKind::Rejected, what).hint("try again when it has ended")
}

impl Partial<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<()> {
        let found = self.file.seek(to);
        found.map(drop).map_err(|error| io_error("read the partial content of", self.entry.path, error))
    }
}

impl Receiver for Partial<'_> {
    fn length(&self) -> u64 {
        self.length
    }

    fn review(&mut self, look: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        self.seek(SeekFrom::Start(0))?;
        let mut buffer = vec![0; PIECE];
        loop {
            let read = self.file.read(&mut buffer);
            match read.map_err(|error| io_error("read the partial content of", self.entry.path, error))? {
                0 => return Ok(()),
                read => look(&buffer[..read])?,
            }
        }
    }

    fn restart(&mut self) -> Result<()> {
        calls::ftruncate(&self.file, 0)
            .map_err(|errno| self.entry.error("discard the partial content of", errno))?;
        self.length = 0;
        self.seek(SeekFrom::Start(0))
    }

    fn append(&mut self, piece: &[u8]) -> Result<()> {
        self.file.write_all(piece).map_err(|error| io_error("write", self.entry.path, error))?;
        self.length += piece.len() as u64;
        Ok(())
    }

    fn put(self: Box<Self>, place: &Place<'_>) -> Result<()> {
        let Self { root, entry, name, file, .. } = *self;
        let _pause = root.pause();
        write::place(&entry, Temporary::received(&entry, name, file), place)
    }

    fn discard(self: Box<Self>) -> Result<()> {
        remove(&self.entry, &self.name)
    }
}
