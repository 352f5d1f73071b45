//! A file that comes piece by piece, and survives whoever receives it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;
use uphold_resource::{Error, ErrorKind, Place, Receiver, Result};

use crate::calls;
use crate::root::Root;
use crate::spot::Spot;
use crate::temporary::Temporary;
use crate::write;

/// Only we can open it.
const PRIVATE: Mode = Mode::RUSR.union(Mode::WUSR);

/// How much is read at once when it is reviewed.
const PIECE: usize = 64 * 1024;

/// What was received so far: `.NAME.uphold-partial`, beside the path.
pub(crate) struct Partial<'a> {
    spot: Spot<'a>,
    name: OsString,
    file: File,
    length: u64,
}

/// Goes on with what an earlier run left at `path`, or begins anew.
///
/// # Guarantees
/// - What is gone on with is a regular file of ours, with no other name, that nobody else could open.
/// - Nobody else receives at the same path at the same time: it is locked as long as it is open.
///
/// # Errors
/// If another run receives at `path`.
pub(crate) fn receive<'a>(root: &Root, path: &'a Path) -> Result<Partial<'a>> {
    let spot = Spot::find(root, path)?;
    let name = spot.sibling("partial");
    let file = match resume(&spot, &name)? {
        Some(file) => file,
        None => begin(&spot, &name)?,
    };
    lock(&spot, &name, &file)?;
    let length = calls::fstat(&file).map_err(|errno| spot.error("look at what is left of", errno))?;
    let length = u64::try_from(length.st_size).unwrap_or(0);
    let mut partial = Partial { spot, name, file, length };
    partial.seek(SeekFrom::End(0))?;
    Ok(partial)
}

/// What an earlier run left; none if there is nothing that can be trusted.
fn resume(spot: &Spot<'_>, name: &OsString) -> Result<Option<File>> {
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = match calls::openat(&spot.directory, name, flags, Mode::empty()) {
        Ok(opened) => opened,
        Err(Errno::NOENT) => return Ok(None),
        // Whatever it is, it is not what we left.
        Err(_) => return remove(spot, name).map(|()| None),
    };
    let stat = calls::fstat(&opened).map_err(|errno| spot.error("look at what is left of", errno))?;
    match is_ours(&stat) {
        true => Ok(Some(File::from(opened))),
        false => remove(spot, name).map(|()| None),
    }
}

fn is_ours(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
        && stat.st_mode & 0o7777 == PRIVATE.as_raw_mode()
        && stat.st_uid == rustix::process::geteuid().as_raw()
        && stat.st_nlink == 1
}

fn remove(spot: &Spot<'_>, name: &OsString) -> Result<()> {
    match calls::unlinkat(&spot.directory, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(errno) => Err(spot.error("remove what is in the way of the new", errno)),
    }
}

fn begin(spot: &Spot<'_>, name: &OsString) -> Result<File> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = calls::openat(&spot.directory, name, flags, PRIVATE);
    opened.map(File::from).map_err(|errno| spot.error("make a temporary file beside", errno))
}

/// Keeps other runs from receiving at the same path. Fails, too, if another run has just put the file in place or removed it.
fn lock(spot: &Spot<'_>, name: &OsString, file: &File) -> Result<()> {
    let fail = |errno| spot.error("lock what is left of", errno);
    let is_locked = match calls::flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => true,
        Err(Errno::WOULDBLOCK) => false,
        Err(errno) => return Err(fail(errno)),
    };
    let held = calls::fstat(file).map_err(fail)?;
    let named = calls::statat(&spot.directory, name, AtFlags::SYMLINK_NOFOLLOW);
    let is_named = named.is_ok_and(|named| (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino));
    match is_locked && is_named {
        true => Ok(()),
        false => {
            let what = format!("another run is receiving {}", spot.path.display());
            Err(Error::new(ErrorKind::Rejected, what).hint("try again when it has ended"))
        }
    }
}

impl Partial<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<()> {
        let found = self.file.seek(to);
        found.map(drop).map_err(|error| Error::io("read what is left of", self.spot.path, error))
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
            match read.map_err(|error| Error::io("read what is left of", self.spot.path, error))? {
                0 => return Ok(()),
                read => look(&buffer[..read])?,
            }
        }
    }

    fn restart(&mut self) -> Result<()> {
        calls::ftruncate(&self.file, 0).map_err(|errno| self.spot.error("begin anew with", errno))?;
        self.length = 0;
        self.seek(SeekFrom::Start(0))
    }

    fn append(&mut self, piece: &[u8]) -> Result<()> {
        self.file.write_all(piece).map_err(|error| Error::io("write", self.spot.path, error))?;
        self.length += piece.len() as u64;
        Ok(())
    }

    fn put(self: Box<Self>, place: &Place<'_>) -> Result<()> {
        let Self { spot, name, file, .. } = *self;
        write::place(&spot, Temporary::received(&spot, name, file), place)
    }

    fn discard(self: Box<Self>) -> Result<()> {
        remove(&self.spot, &self.name)
    }
}
