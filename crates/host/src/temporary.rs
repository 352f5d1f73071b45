//! A file under a temporary name, on its way to its real one.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use rustix::fs::{AtFlags, Gid, Mode, OFlags, RenameFlags, Uid};
use rustix::io::Errno;
use uphold_resource::{Access, Error, Result};

use crate::spot::Spot;
use crate::tree;

/// A file that nobody else knows about. Dropped before it is in place, it is gone.
pub(crate) struct Temporary<'a> {
    spot: &'a Spot<'a>,
    name: OsString,
    file: File,
    in_place: bool,
}

impl<'a> Temporary<'a> {
    /// Makes an empty file that only we can open, beside `spot`.
    pub(crate) fn create(spot: &'a Spot<'a>) -> Result<Self> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let name = spot.unguessable();
        let file = rustix::fs::openat(&spot.directory, &name, flags, Mode::RUSR | Mode::WUSR)
            .map_err(|errno| spot.error("make a temporary file beside", errno))?;
        Ok(Self { spot, name, file: File::from(file), in_place: false })
    }

    /// Appends `content`.
    pub(crate) fn fill(&mut self, content: &[u8]) -> Result<()> {
        self.file.write_all(content).map_err(|error| Error::io("write", self.spot.path, error))
    }

    /// Appends all of `from`; the kernel shares or copies the blocks where it can.
    pub(crate) fn fill_from(&mut self, from: &mut File) -> Result<()> {
        let copied = std::io::copy(from, &mut self.file);
        copied.map(drop).map_err(|error| Error::io("write", self.spot.path, error))
    }

    /// The open file.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Its path while it is temporary, for others to look at.
    pub(crate) fn path(&self) -> PathBuf {
        self.spot.path.with_file_name(&self.name)
    }

    /// Gives it its owner. Do this before [`permit`](Self::permit): it clears set-id bits.
    pub(crate) fn give(&self, access: &Access) -> Result<()> {
        if access.uid.is_none() && access.gid.is_none() {
            return Ok(());
        }
        rustix::fs::fchown(&self.file, access.uid.map(Uid::from_raw), access.gid.map(Gid::from_raw))
            .map_err(|errno| self.spot.error("set the owner of", errno))
    }

    /// Gives it its permissions.
    pub(crate) fn permit(&self, mode: u32) -> Result<()> {
        rustix::fs::fchmod(&self.file, Mode::from_raw_mode(mode))
            .map_err(|errno| self.spot.error("set the mode of", errno))
    }

    /// Waits until its content is on the disk.
    pub(crate) fn sync(&self) -> Result<()> {
        rustix::fs::fsync(&self.file).map_err(|errno| self.spot.error("sync", errno))
    }

    /// Lets go of our writing handle, without which the system refuses to run the file.
    pub(crate) fn stop_writing(&mut self) -> Result<()> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match rustix::fs::openat(&self.spot.directory, &self.name, flags, Mode::empty()) {
            Ok(file) => self.file = File::from(file),
            // Its new mode or owner forbids us to read it: then we cannot run it either.
            Err(Errno::ACCESS) => {}
            Err(errno) => return Err(self.spot.error("open the temporary file of", errno)),
        }
        Ok(())
    }

    /// Puts it at its real name, over a file, link or the like.
    pub(crate) fn put(self) -> Result<()> {
        let spot = self.spot;
        self.rename(spot.name)
    }

    /// Puts it at another name in the same directory.
    pub(crate) fn rename(mut self, name: &OsStr) -> Result<()> {
        rustix::fs::renameat(&self.spot.directory, &self.name, &self.spot.directory, name)
            .map_err(|errno| self.spot.error("put into place", errno))?;
        self.in_place = true;
        Ok(())
    }

    /// Puts it at its real name, which is a directory's; that goes, with all that is inside.
    pub(crate) fn put_over_directory(mut self) -> Result<()> {
        let directory = &self.spot.directory;
        match rustix::fs::renameat_with(
            directory,
            &self.name,
            directory,
            self.spot.name,
            RenameFlags::EXCHANGE,
        ) {
            Ok(()) => {
                self.in_place = true;
                tree::remove(directory, &self.name, &self.path())
            }
            // The file system cannot exchange two names: then the name is gone for a moment.
            Err(Errno::INVAL | Errno::NOSYS) => {
                tree::remove(directory, self.spot.name, self.spot.path)?;
                self.put()
            }
            Err(errno) => Err(self.spot.error("put into place", errno)),
        }
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.in_place {
            // We are failing already; what failed first is what the user has to know.
            let _ = rustix::fs::unlinkat(&self.spot.directory, &self.name, AtFlags::empty());
        }
    }
}
