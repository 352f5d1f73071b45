//! A file with a temporary name, or without one.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;

use rustix::fs::{AtFlags, CWD, Gid, Mode, OFlags, Uid};
use rustix::io::Errno;
use uphold_resource::{Access, Error, ErrorKind, Result};

use super::replacement;
use crate::calls;
use crate::dir_entry::DirEntry;
use crate::io_error::io_error;
use crate::mounts;

/// How many names are tried if a new file is removed as a leftover before it is marked as in use.
const ATTEMPTS: usize = 8;

/// Only this user can open it.
const PRIVATE: Mode = Mode::RUSR.union(Mode::WUSR);

/// A private file that is not in place yet. Dropped before that, it is removed.
///
/// It has no name until it needs one, where the file system supports that: then even a killed process leaves nothing behind.
/// While it has a temporary name it is marked as in use, so that other runs do not take it for a leftover.
pub(crate) struct Temporary<'a> {
    entry: &'a DirEntry<'a>,
    /// Its temporary name, if it has one.
    name: Option<TemporaryName<'a>>,
    file: File,
}

/// A name beside `entry` that is removed when this is dropped.
struct TemporaryName<'a> {
    entry: &'a DirEntry<'a>,
    /// Empty if another file may have it by now.
    name: OsString,
}

impl TemporaryName<'_> {
    /// It is not ours any more.
    fn leave(mut self) {
        self.name.clear();
    }
}

impl Drop for TemporaryName<'_> {
    fn drop(&mut self) {
        if !self.name.is_empty() {
            // The first failure is the one to report.
            let _ = calls::unlinkat(&self.entry.directory, &self.name, AtFlags::empty());
        }
    }
}

impl<'a> Temporary<'a> {
    /// Creates an empty private file beside `entry`.
    pub(crate) fn create(entry: &'a DirEntry<'a>) -> Result<Self> {
        Self::nameless(entry).map_or_else(|| Self::named(entry), Ok)
    }

    /// Creates an empty private file without a name; none if the file system has no such files.
    pub(crate) fn nameless(entry: &'a DirEntry<'a>) -> Option<Self> {
        anonymous(entry).map(|file| Self::without_name(entry, File::from(file)))
    }

    /// This file, which has no name, beside `entry`.
    pub(crate) fn without_name(entry: &'a DirEntry<'a>, file: File) -> Self {
        Self { entry, name: None, file }
    }

    /// The open file. One without a name is gone when it is closed.
    pub(crate) fn into_file(self) -> File {
        self.file
    }

    /// The file that was received under this name, beside `entry`.
    pub(crate) fn received(entry: &'a DirEntry<'a>, name: OsString, file: File) -> Self {
        Self { entry, name: Some(TemporaryName { entry, name }), file }
    }

    /// Creates an empty private file with a temporary name.
    fn named(entry: &'a DirEntry<'a>) -> Result<Self> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fail = |errno| entry.error("create a temporary file beside", errno);
        for _ in 0..ATTEMPTS {
            let name = entry.unguessable();
            let file = calls::openat(&entry.directory, &name, flags, PRIVATE).map_err(fail)?;
            let marked = super::mark(&file);
            let new = Self::received(entry, name, File::from(file));
            if marked && calls::fstat(&new.file).is_ok_and(|stat| stat.st_nlink > 0) {
                return Ok(new);
            }
        }
        Err(fail(Errno::BUSY))
    }

    /// The final name.
    pub(super) fn entry(&self) -> &'a DirEntry<'a> {
        self.entry
    }

    /// Appends `content`.
    pub(crate) fn fill(&mut self, content: &[u8]) -> Result<()> {
        self.file.write_all(content).map_err(|error| io_error("write", self.entry.path, error))
    }

    /// Appends all of `from`. The kernel shares or copies the blocks if it can.
    pub(crate) fn fill_from(&mut self, from: &mut File) -> Result<()> {
        let copied = std::io::copy(from, &mut self.file);
        copied.map(drop).map_err(|error| io_error("write", self.entry.path, error))
    }

    /// The open file.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Sets its owner. Call it before [`permit`](Self::permit), because it clears set-ID bits.
    pub(crate) fn give(&self, access: &Access) -> Result<()> {
        if access.uid.is_none() && access.gid.is_none() {
            return Ok(());
        }
        calls::fchown(&self.file, access.uid.map(Uid::from_raw), access.gid.map(Gid::from_raw))
            .map_err(|errno| self.entry.error("set the owner of", errno))
    }

    /// Sets its permissions.
    pub(crate) fn permit(&self, mode: u32) -> Result<()> {
        calls::fchmod(&self.file, Mode::from_raw_mode(mode))
            .map_err(|errno| self.entry.error("set the mode of", errno))
    }

    /// Waits until its content is on the disk.
    pub(crate) fn sync(&self) -> Result<()> {
        calls::fsync(&self.file).map_err(|errno| self.entry.error("sync", errno))
    }

    /// Its temporary path, for verification. Another program may even run it: our handle for writing, which would prevent that,
    /// is closed.
    pub(crate) fn show(&mut self) -> Result<PathBuf> {
        let name = self.temporary_name()?;
        self.stop_writing()?;
        Ok(self.entry.path.with_file_name(name))
    }

    /// Its temporary name, which is created if it has none.
    fn temporary_name(&mut self) -> Result<OsString> {
        if let Some(named) = &self.name {
            return Ok(named.name.clone());
        }
        let name = self.entry.unguessable();
        super::mark(&self.file);
        self.link(&self.entry.directory, &name)
            .map_err(|errno| self.entry.error("create a temporary file beside", errno))?;
        self.name = Some(TemporaryName { entry: self.entry, name: name.clone() });
        Ok(name)
    }

    /// Moves it to another directory of the same file system, under this name.
    pub(super) fn move_into(&mut self, directory: &OwnedFd, name: &OsStr) -> Result<()> {
        let moved = match &self.name {
            Some(named) => calls::renameat(&self.entry.directory, &named.name, directory, name),
            None => self.link(directory, name),
        };
        moved.map_err(|errno| self.entry.error("create a temporary file beside", errno))?;
        self.leave_name();
        Ok(())
    }

    /// Gives a file without a name its first one.
    fn link(&self, directory: &OwnedFd, name: &OsStr) -> rustix::io::Result<()> {
        match calls::linkat(&self.file, "", directory, name, AtFlags::EMPTY_PATH) {
            done @ (Ok(()) | Err(Errno::EXIST)) => done,
            // Older kernels require a capability for that.
            Err(_) => {
                let handle = calls::path(&self.file);
                calls::linkat(CWD, &*handle, directory, name, AtFlags::SYMLINK_FOLLOW)
            }
        }
    }

    fn stop_writing(&mut self) -> Result<()> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = match calls::open(&*calls::path(&self.file), flags, Mode::empty()) {
            Err(Errno::NOENT | Errno::NOTDIR) => self.open_by_name(),
            other => other,
        };
        self.take(opened)
    }

    /// Opens it by name, for systems without `/proc`. Another user may have replaced it in a shared directory.
    fn open_by_name(&self) -> rustix::io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let named = self.name.as_ref().ok_or(Errno::NOENT)?;
        calls::openat(&self.entry.directory, &named.name, flags, Mode::empty())
    }

    /// Continues with this handle, if it belongs to our file.
    fn take(&mut self, opened: rustix::io::Result<OwnedFd>) -> Result<()> {
        match opened {
            Ok(file) if identity(&file) == identity(&self.file) => {
                // The old handle holds the lock that marks it as in use.
                super::mark(&file);
                self.file = File::from(file);
            }
            Ok(_) | Err(Errno::LOOP | Errno::NXIO | Errno::NOENT) => {
                return Err(self.replaced());
            }
            // Its new mode or owner forbids us to read it, so we cannot run it either.
            Err(Errno::ACCESS) => {}
            Err(errno) => return Err(self.entry.error("open the temporary file of", errno)),
        }
        Ok(())
    }

    fn leave_name(&mut self) {
        if let Some(named) = self.name.take() {
            named.leave();
        }
    }

    fn replaced(&self) -> Error {
        let path = self.entry.path.display();
        let what = format!("the temporary file of {path} was replaced by another process");
        Error::new(ErrorKind::UnsafeLink, what)
    }

    /// Puts it at its final name, which did not exist a moment ago.
    pub(crate) fn put_new(self) -> Result<()> {
        if self.name.is_some() {
            return self.put();
        }
        match self.link(&self.entry.directory, self.entry.name) {
            Ok(()) => Ok(()),
            Err(Errno::EXIST) => self.put(),
            Err(errno) => Err(self.entry.error("put into place", errno)),
        }
    }

    /// Puts it at its final name. Replaces a file, link or the like.
    pub(crate) fn put(self) -> Result<()> {
        let entry = self.entry;
        self.rename(entry.name)
    }

    /// Renames it to another name in the same directory.
    pub(crate) fn rename(mut self, name: &OsStr) -> Result<()> {
        let temporary = self.temporary_name()?;
        // The name of received content can be guessed, and is that of other runs, too.
        let named = calls::statat(&self.entry.directory, &temporary, AtFlags::SYMLINK_NOFOLLOW);
        if named.map(|named| (named.st_dev, named.st_ino)) != identity(&self.file) {
            self.leave_name();
            return Err(self.replaced());
        }
        match calls::renameat(&self.entry.directory, &temporary, &self.entry.directory, name) {
            Ok(()) => {
                self.leave_name();
                Ok(())
            }
            // A mount point cannot be replaced, but a mounted file can be written.
            Err(Errno::BUSY) if name == self.entry.name => replacement::overwrite(self.entry, &mut self.file),
            Err(errno) => Err(self.entry.error("put into place", errno)),
        }
    }

    /// Puts it at its final name in place of a directory, which is removed with its content. Fails without a change if anything
    /// in it is a mount point.
    pub(crate) fn put_over_directory(self) -> Result<()> {
        mounts::refuse_inside(&self.entry.directory, self.entry.name, self.entry.path)?;
        replacement::replace(self)
    }
}

/// Device and inode.
fn identity(file: impl AsFd) -> rustix::io::Result<(u64, u64)> {
    calls::fstat(file).map(|stat| (stat.st_dev, stat.st_ino))
}

/// Creates a file without a name, which can be given one later. Not every file system and kernel supports that; any other
/// failure is reported when a file with a name is created.
fn anonymous(entry: &DirEntry<'_>) -> Option<OwnedFd> {
    // Without `/proc`, such a file might never get a name.
    if !calls::are_available() {
        return None;
    }
    let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
    calls::openat(&entry.directory, ".", flags, PRIVATE).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::root::Root;

    /// Calls `test` with a named temporary file whose name was replaced by `swap`.
    fn swapped(swap: impl Fn(&Path), test: impl FnOnce(&mut Temporary<'_>)) {
        let ground = tempfile::TempDir::new().unwrap();
        let path = ground.path().canonicalize().unwrap().join("file");
        let root = Root::machine();
        let entry = DirEntry::find(&root, &path).unwrap();
        let mut new = Temporary::named(&entry).unwrap();
        let name = path.with_file_name(&new.name.as_ref().unwrap().name);
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
    fn does_not_use_a_file_that_was_swapped_in() {
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
    fn puts_named_and_nameless_files() {
        let ground = tempfile::TempDir::new().unwrap();
        let path = ground.path().canonicalize().unwrap().join("file");
        let root = Root::machine();
        let entry = DirEntry::find(&root, &path).unwrap();
        for (make, content) in [
            (Temporary::named as fn(_) -> _, "named"),
            (Temporary::create, "created"),
            (Temporary::named, "3"),
        ] {
            let mut new = make(&entry).unwrap();
            new.fill(content.as_bytes()).unwrap();
            new.put_new().unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
        }
        drop(Temporary::named(&entry).unwrap());
        drop(Temporary::create(&entry).unwrap());
        let mut shown = Temporary::named(&entry).unwrap();
        assert!(shown.show().unwrap().exists());
        let opened = shown.open_by_name();
        shown.take(opened).unwrap();
        drop(shown);
        assert_eq!(std::fs::read_dir(ground.path()).unwrap().count(), 1);
    }
}
