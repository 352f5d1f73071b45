//! A file on its way to its real name.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;

use rustix::fs::{AtFlags, CWD, Gid, Mode, OFlags, Uid};
use rustix::io::Errno;
use uphold_resource::{Access, Error, ErrorKind, Result};

use super::{in_use, mounted_file, replacement};
use crate::calls;
use crate::mounts;
use crate::proc_handles;
use crate::spot::Spot;

/// How often another name is tried if a new file is taken for left over before it is marked as in use.
const ATTEMPTS: usize = 8;

/// Only we can open it.
const PRIVATE: Mode = Mode::RUSR.union(Mode::WUSR);

/// A file that nobody else knows about. Dropped before it is in place, it is gone.
///
/// It has no name until it needs one, where the file system can do that: then not even a process
/// that is killed leaves it behind. While it has a temporary name it is marked as in use, so that whoever finds it knows
/// whether it was left over.
pub(crate) struct Temporary<'a> {
    spot: &'a Spot<'a>,
    /// Its temporary name, if it has one.
    name: Option<OsString>,
    file: File,
}

impl<'a> Temporary<'a> {
    /// Makes an empty file that only we can open, beside `spot`.
    pub(crate) fn create(spot: &'a Spot<'a>) -> Result<Self> {
        match anonymous(spot) {
            Some(file) => Ok(Self { spot, name: None, file: File::from(file) }),
            None => Self::named(spot),
        }
    }

    /// What was received under this name, beside `spot`.
    pub(crate) fn received(spot: &'a Spot<'a>, name: OsString, file: File) -> Self {
        Self { spot, name: Some(name), file }
    }

    /// The same, under a temporary name from the beginning.
    fn named(spot: &'a Spot<'a>) -> Result<Self> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fail = |errno| spot.error("make a temporary file beside", errno);
        for _ in 0..ATTEMPTS {
            let name = spot.unguessable();
            let file = calls::openat(&spot.directory, &name, flags, PRIVATE).map_err(fail)?;
            let marked = in_use::mark(&file);
            let new = Self { spot, name: Some(name), file: File::from(file) };
            if marked && calls::fstat(&new.file).is_ok_and(|stat| stat.st_nlink > 0) {
                return Ok(new);
            }
        }
        Err(fail(Errno::BUSY))
    }

    /// Where it will be.
    pub(super) fn spot(&self) -> &'a Spot<'a> {
        self.spot
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

    /// Gives it its owner. Do this before [`permit`](Self::permit): it clears set-id bits.
    pub(crate) fn give(&self, access: &Access) -> Result<()> {
        if access.uid.is_none() && access.gid.is_none() {
            return Ok(());
        }
        calls::fchown(&self.file, access.uid.map(Uid::from_raw), access.gid.map(Gid::from_raw))
            .map_err(|errno| self.spot.error("set the owner of", errno))
    }

    /// Gives it its permissions.
    pub(crate) fn permit(&self, mode: u32) -> Result<()> {
        calls::fchmod(&self.file, Mode::from_raw_mode(mode))
            .map_err(|errno| self.spot.error("set the mode of", errno))
    }

    /// Waits until its content is on the disk.
    pub(crate) fn sync(&self) -> Result<()> {
        calls::fsync(&self.file).map_err(|errno| self.spot.error("sync", errno))
    }

    /// Its path while it is temporary, for others to look at. They may even run it: our writing
    /// handle, which would make the system refuse that, is let go.
    pub(crate) fn show(&mut self) -> Result<PathBuf> {
        let name = self.temporary_name()?;
        self.stop_writing()?;
        Ok(self.spot.path.with_file_name(name))
    }

    /// Its temporary name; it is given one if it has none yet.
    fn temporary_name(&mut self) -> Result<OsString> {
        if let Some(name) = &self.name {
            return Ok(name.clone());
        }
        let name = self.spot.unguessable();
        in_use::mark(&self.file);
        self.link(&self.spot.directory, &name)
            .map_err(|errno| self.spot.error("make a temporary file beside", errno))?;
        self.name = Some(name.clone());
        Ok(name)
    }

    /// Goes to another directory of the same file system, under this name.
    pub(super) fn enter(&mut self, directory: &OwnedFd, name: &OsStr) -> Result<()> {
        let entered = match &self.name {
            Some(temporary) => calls::renameat(&self.spot.directory, temporary, directory, name),
            None => self.link(directory, name),
        };
        entered.map_err(|errno| self.spot.error("make a temporary file beside", errno))?;
        self.name = None;
        Ok(())
    }

    /// Gives a file without a name its first one.
    fn link(&self, directory: &OwnedFd, name: &OsStr) -> rustix::io::Result<()> {
        match calls::linkat(&self.file, "", directory, name, AtFlags::EMPTY_PATH) {
            done @ (Ok(()) | Err(Errno::EXIST)) => done,
            // Older kernels want a capability for that.
            Err(_) => {
                let handle = proc_handles::path(&self.file);
                calls::linkat(CWD, &*handle, directory, name, AtFlags::SYMLINK_FOLLOW)
            }
        }
    }

    fn stop_writing(&mut self) -> Result<()> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = match calls::open(&*proc_handles::path(&self.file), flags, Mode::empty()) {
            Err(Errno::NOENT | Errno::NOTDIR) => self.open_by_name(),
            other => other,
        };
        self.take(opened)
    }

    /// For systems without `/proc`. Whoever can write the directory can put anything at our name.
    fn open_by_name(&self) -> rustix::io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let name = self.name.as_deref().ok_or(Errno::NOENT)?;
        calls::openat(&self.spot.directory, name, flags, Mode::empty())
    }

    /// Goes on with this handle, if it is one of our file.
    fn take(&mut self, opened: rustix::io::Result<OwnedFd>) -> Result<()> {
        match opened {
            Ok(file) if identity(&file) == identity(&self.file) => {
                // The mark goes with the old handle.
                in_use::mark(&file);
                self.file = File::from(file);
            }
            Ok(_) | Err(Errno::LOOP | Errno::NXIO | Errno::NOENT) => {
                let path = self.spot.path.display();
                let what = format!("the temporary file of {path} was replaced by somebody");
                return Err(Error::new(ErrorKind::UnsafeLink, what));
            }
            // Its new mode or owner forbids us to read it: then we cannot run it either.
            Err(Errno::ACCESS) => {}
            Err(errno) => return Err(self.spot.error("open the temporary file of", errno)),
        }
        Ok(())
    }

    /// Puts it at its real name, which nothing had a moment ago.
    pub(crate) fn put_new(self) -> Result<()> {
        if self.name.is_some() {
            return self.put();
        }
        match self.link(&self.spot.directory, self.spot.name) {
            Ok(()) => Ok(()),
            Err(Errno::EXIST) => self.put(),
            Err(errno) => Err(self.spot.error("put into place", errno)),
        }
    }

    /// Puts it at its real name, over a file, link or the like.
    pub(crate) fn put(self) -> Result<()> {
        let spot = self.spot;
        self.rename(spot.name)
    }

    /// Puts it at another name in the same directory.
    pub(crate) fn rename(mut self, name: &OsStr) -> Result<()> {
        let temporary = self.temporary_name()?;
        match calls::renameat(&self.spot.directory, &temporary, &self.spot.directory, name) {
            Ok(()) => {
                self.name = None;
                Ok(())
            }
            // Something is mounted there. It cannot be replaced; a file can be written.
            Err(Errno::BUSY) if name == self.spot.name => mounted_file::overwrite(self.spot, &mut self.file),
            Err(errno) => Err(self.spot.error("put into place", errno)),
        }
    }

    /// Puts it at its real name, which is a directory's; that goes, with all that is inside. If
    /// something is mounted there, nothing is changed.
    pub(crate) fn put_over_directory(self) -> Result<()> {
        mounts::refuse_inside(&self.spot.directory, self.spot.name, self.spot.path)?;
        replacement::replace(self)
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            // We are failing already; what failed first is what the user has to know.
            let _ = calls::unlinkat(&self.spot.directory, name, AtFlags::empty());
        }
    }
}

/// Device and inode.
fn identity(file: impl AsFd) -> rustix::io::Result<(u64, u64)> {
    calls::fstat(file).map(|stat| (stat.st_dev, stat.st_ino))
}

/// A file without a name, which can be given one later. Not every file system and kernel has those;
/// whatever else is wrong will be said when one with a name is made.
fn anonymous(spot: &Spot<'_>) -> Option<OwnedFd> {
    // Without these, such a file might stay without a name.
    if !proc_handles::are_there() {
        return None;
    }
    let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
    calls::openat(&spot.directory, ".", flags, PRIVATE).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::root::Root;

    /// Does `test` with a named temporary file, and with the path of that.
    fn swapped(swap: impl Fn(&Path), test: impl FnOnce(&mut Temporary<'_>)) {
        let ground = tempfile::TempDir::new().unwrap();
        let path = ground.path().canonicalize().unwrap().join("file");
        let root = Root::machine();
        let spot = Spot::find(&root, &path).unwrap();
        let mut new = Temporary::named(&spot).unwrap();
        let name = path.with_file_name(new.name.as_ref().unwrap());
        std::fs::remove_file(&name).unwrap();
        swap(&name);
        test(&mut new);
    }

    fn fifo(name: &Path) {
        rustix::fs::mkfifoat(CWD, name, PRIVATE).unwrap();
    }

    fn file(name: &Path) {
        std::fs::write(name, "other").unwrap();
    }

    fn link(name: &Path) {
        std::os::unix::fs::symlink("/etc/passwd", name).unwrap();
    }

    #[test]
    fn what_was_swapped_in_is_neither_waited_for_nor_taken() {
        for swap in [fifo, file, link] {
            swapped(swap, |new| {
                let before = identity(&new.file);
                new.stop_writing().unwrap();
                assert_eq!(identity(&new.file), before);
                assert!(new.fill(b"x").is_err(), "the handle can still write");
            });
            swapped(swap, |new| {
                let before = identity(&new.file);
                let opened = new.open_by_name();
                assert_eq!(new.take(opened).unwrap_err().kind(), ErrorKind::UnsafeLink);
                assert_eq!(identity(&new.file), before);
            });
        }
    }

    #[test]
    fn named_one_is_put_like_one_without_a_name() {
        let ground = tempfile::TempDir::new().unwrap();
        let path = ground.path().canonicalize().unwrap().join("file");
        let root = Root::machine();
        let spot = Spot::find(&root, &path).unwrap();
        for (make, content) in [
            (Temporary::named as fn(_) -> _, "named"),
            (Temporary::create, "created"),
            (Temporary::named, "3"),
        ] {
            let mut new = make(&spot).unwrap();
            new.fill(content.as_bytes()).unwrap();
            new.put_new().unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
        }
        drop(Temporary::named(&spot).unwrap());
        drop(Temporary::create(&spot).unwrap());
        let mut shown = Temporary::named(&spot).unwrap();
        assert!(shown.show().unwrap().exists());
        let opened = shown.open_by_name();
        shown.take(opened).unwrap();
        drop(shown);
        assert_eq!(std::fs::read_dir(ground.path()).unwrap().count(), 1);
    }
}
