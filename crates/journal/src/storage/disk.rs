//! The files of a journal in a directory. This is the only file of the crate that opens or changes paths of the journal.

#![expect(clippy::disallowed_types, reason = "this file is the journal's own door to the disk")]

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, FlockOperation, Mode, OFlags, Stat, flock, fstat, mkdirat, openat, renameat,
    statat, unlinkat,
};
use rustix::io::{Errno, retry_on_intr};

use super::directory::{Location, Problem, sync_directory};
use super::{AppendFile, Creation, Durability, Part, Storage, StoredFile};
use crate::time::Time;

/// No file of a journal is larger. A larger one is damaged, and its rest is not read.
const MOST_READ: u64 = 256 << 20;

const PRIVATE: Mode = Mode::RUSR.union(Mode::WUSR);
const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(SAFE);
/// No link is followed, and a planted FIFO is not waited for.
const SAFE: OFlags = OFlags::NOFOLLOW.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK).union(OFlags::NOCTTY);

/// Distinguishes the temporary files of one process.
static TEMPORARY: AtomicU64 = AtomicU64::new(0);

/// A state directory. It is created by the first write.
pub(crate) struct DiskStorage {
    location: Location,
    directory: OnceLock<OwnedFd>,
}

impl DiskStorage {
    /// Opens the directory if it exists. Costs a few microseconds, and writes nothing.
    pub(crate) fn open(location: Location) -> Result<Self, Problem> {
        let directory = location.open()?.map_or_else(OnceLock::new, OnceLock::from);
        Ok(Self { location, directory })
    }

    pub(crate) fn location(&self) -> &Location {
        &self.location
    }

    /// Opens the lock file, which is never removed, and creates it.
    pub(crate) fn lock_file(&self, name: &str) -> io::Result<OwnedFd> {
        open_lock(self.create()?, Path::new(name))
    }

    /// Device and inode of the state directory, or of the nearest directory above it that exists.
    pub(crate) fn identity(&self) -> io::Result<(u64, u64)> {
        let stat = match self.directory.get() {
            Some(directory) => fstat(directory)?,
            None => fstat(self.location.nearest()?)?,
        };
        Ok((stat.st_dev, stat.st_ino))
    }

    /// The directory, if it exists by now.
    fn existing(&self) -> io::Result<&OwnedFd> {
        if let Some(directory) = self.directory.get() {
            return Ok(directory);
        }
        let directory = self.location.open()?.ok_or(Errno::NOENT)?;
        Ok(self.directory.get_or_init(|| directory))
    }

    fn create(&self) -> io::Result<&OwnedFd> {
        if let Some(directory) = self.directory.get() {
            return Ok(directory);
        }
        let directory = self.location.open_or_create()?;
        Ok(self.directory.get_or_init(|| directory))
    }

    /// The folder of a name, and the name in it.
    fn folder<'n>(&self, name: &'n str, create: bool) -> io::Result<(OwnedFd, &'n str)> {
        let base = if create { self.create()? } else { self.existing()? };
        let mut here = base.try_clone()?;
        let mut rest = name;
        while let Some((folder, inner)) = rest.split_once('/') {
            here = enter(&here, folder, create)?;
            rest = inner;
        }
        Ok((here, rest))
    }
}

/// Opens a lock file at a path of the machine, in a directory that is created for it.
pub(crate) fn lock_file_at(directory: &Path, name: &str) -> io::Result<OwnedFd> {
    let directory = Location::Path(directory.to_owned()).open_or_create()?;
    open_lock(&directory, Path::new(name))
}

fn open_lock(directory: &OwnedFd, name: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDWR | OFlags::CREATE | SAFE;
    Ok(retry_on_intr(|| openat(directory, name, flags, PRIVATE))?)
}

fn enter(here: &OwnedFd, folder: &str, create: bool) -> io::Result<OwnedFd> {
    let open = || retry_on_intr(|| openat(here, folder, DIRECTORY, Mode::empty()));
    match open() {
        Err(Errno::NOENT) if create => {
            match mkdirat(here, folder, Mode::RWXU) {
                Ok(()) => sync_directory(here),
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(errno.into()),
            }
            Ok(open()?)
        }
        result => Ok(result?),
    }
}

fn open_file(folder: impl AsFd, name: &str, flags: OFlags) -> io::Result<File> {
    let folder = folder.as_fd();
    let file = retry_on_intr(|| openat(folder, name, flags | SAFE, PRIVATE))?;
    let is_file = FileType::from_raw_mode(fstat(&file)?.st_mode) == FileType::RegularFile;
    if is_file { Ok(File::from(file)) } else { Err(io::Error::other("it is not a regular file")) }
}

impl Storage for DiskStorage {
    fn read(&self, name: &str, part: Part) -> io::Result<Vec<u8>> {
        let (folder, name) = self.folder(name, false)?;
        let mut file = open_file(folder, name, OFlags::RDONLY)?;
        let most = match part {
            Part::All => MOST_READ,
            Part::Start(most) => most as u64,
            Part::End(most) => {
                let length = file.seek(SeekFrom::End(0))?;
                file.seek(SeekFrom::Start(length.saturating_sub(most as u64)))?;
                most as u64
            }
        };
        // Most files are read by one call, so that a reader beside a writer sees one state.
        let expected = fstat(&file)?.st_size.unsigned_abs().min(most);
        let mut content = Vec::with_capacity(usize::try_from(expected).unwrap_or(0) + 1);
        file.take(most).read_to_end(&mut content)?;
        Ok(content)
    }

    fn append_to(&self, name: &str, creation: Creation) -> io::Result<Box<dyn AppendFile>> {
        let (folder, name) = self.folder(name, true)?;
        let flags = OFlags::RDWR | OFlags::APPEND;
        let new = || open_file(&folder, name, flags | OFlags::CREATE | OFlags::EXCL);
        let (file, is_new) = match creation {
            Creation::New => (new()?, true),
            Creation::IfMissing => match open_file(&folder, name, flags) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    (open_file(&folder, name, flags | OFlags::CREATE)?, true)
                }
                other => (other?, false),
            },
        };
        Ok(Box::new(DiskFile { file, folder, has_unsynced_name: AtomicBool::new(is_new) }))
    }

    fn replace(&self, name: &str, content: &[u8], durability: Durability) -> io::Result<()> {
        let (folder, name) = self.folder(name, true)?;
        let number = TEMPORARY.fetch_add(1, Ordering::Relaxed);
        let temporary = format!(".{name}.{}-{number}.tmp", std::process::id());
        let write = || {
            let mut file = open_file(&folder, &temporary, OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC)?;
            file.write_all(content)?;
            if durability == Durability::Synced {
                file.sync_data()?;
            }
            Ok(renameat(&folder, &temporary, &folder, name)?)
        };
        let written: io::Result<()> = write();
        if written.is_err() {
            let _ = unlinkat(&folder, &temporary, AtFlags::empty());
        } else if durability == Durability::Synced {
            sync_directory(&folder);
        }
        written
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let removed = self
            .folder(name, false)
            .and_then(|(folder, name)| Ok(retry_on_intr(|| unlinkat(&folder, name, AtFlags::empty()))?));
        match removed {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// The lock is on the directory itself, opened again: it is not the run lock.
    fn lock(&self) -> io::Result<Box<dyn Send>> {
        let state = self.create()?;
        let directory = retry_on_intr(|| openat(state, ".", DIRECTORY, Mode::empty()))?;
        retry_on_intr(|| flock(&directory, FlockOperation::LockExclusive))?;
        Ok(Box::new(directory))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<StoredFile>> {
        let opened = match folder {
            "" => self.existing().and_then(OwnedFd::try_clone),
            name => self.folder(name, false).and_then(|(above, name)| enter(&above, name, false)),
        };
        let opened = match opened {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let mut files = Vec::new();
        for entry in Dir::read_from(&opened)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().to_str() else { continue };
            if matches!(name, "." | "..") {
                continue;
            }
            // A file that was removed meanwhile is not listed.
            if let Ok(stat) = statat(&opened, name, AtFlags::SYMLINK_NOFOLLOW) {
                files.push(stored(name, &stat));
            }
        }
        Ok(files)
    }
}

fn stored(name: &str, stat: &Stat) -> StoredFile {
    let modified = stat.st_mtime.saturating_mul(1000).saturating_add(stat.st_mtime_nsec as i64 / 1_000_000);
    StoredFile {
        name: name.to_owned(),
        size: stat.st_size.unsigned_abs(),
        modified: Time(modified),
        is_folder: FileType::from_raw_mode(stat.st_mode) == FileType::Directory,
    }
}

struct DiskFile {
    file: File,
    folder: OwnedFd,
    has_unsynced_name: AtomicBool,
}

impl AppendFile for DiskFile {
    fn length(&self) -> io::Result<u64> {
        Ok(fstat(&self.file)?.st_size.unsigned_abs())
    }

    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        // One write(2): readers see whole lines. Only a full disk makes it short.
        match retry_on_intr(|| rustix::io::write(&self.file, bytes)) {
            Ok(written) if written == bytes.len() => Ok(()),
            Ok(written) => {
                let rest = (&self.file).write_all(&bytes[written..]);
                if rest.is_err() {
                    let length = self.length()?;
                    let _ = self.cut(length.saturating_sub(written as u64));
                }
                rest
            }
            Err(errno) => Err(errno.into()),
        }
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_data()?;
        if self.has_unsynced_name.swap(false, Ordering::Relaxed) {
            sync_directory(&self.folder);
        }
        Ok(())
    }
}

/// The content of a file of the machine, such as one of `/proc`, at most `most` bytes.
pub(crate) fn read_machine_file(path: &str, most: u64) -> io::Result<Vec<u8>> {
    let file = retry_on_intr(|| openat(CWD, path, OFlags::RDONLY | SAFE, Mode::empty()))?;
    let mut content = Vec::new();
    File::from(file).take(most).read_to_end(&mut content)?;
    Ok(content)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test inspects real files")]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, symlink};

    use super::*;

    fn storage(ground: &tempfile::TempDir) -> DiskStorage {
        DiskStorage::open(Location::Path(ground.path().join("state"))).unwrap()
    }

    #[test]
    fn creates_nothing_before_the_first_write() {
        let ground = tempfile::TempDir::new().unwrap();
        let storage = storage(&ground);
        assert_eq!(storage.read("pending", Part::All).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(storage.list("runs").unwrap(), []);
        storage.remove("pending").unwrap();
        assert!(!ground.path().join("state").exists());
        storage.append_to("runs/1", Creation::New).unwrap().append(b"a\n").unwrap();
        let stat = fs::metadata(ground.path().join("state/runs/1")).unwrap();
        assert_eq!((stat.mode() & 0o777, stat.len()), (0o600, 2));
        assert_eq!(fs::metadata(ground.path().join("state/runs")).unwrap().mode() & 0o777, 0o700);
    }

    #[test]
    fn reads_parts_and_replaces_in_one_step() {
        let ground = tempfile::TempDir::new().unwrap();
        let storage = storage(&ground);
        storage.replace("a", b"0123456789", Durability::Synced).unwrap();
        assert_eq!(storage.read("a", Part::Start(3)).unwrap(), b"012");
        assert_eq!(storage.read("a", Part::End(3)).unwrap(), b"789");
        assert_eq!(storage.read("a", Part::End(30)).unwrap(), b"0123456789");
        storage.replace("a", b"new", Durability::Unsynced).unwrap();
        assert_eq!(storage.read("a", Part::All).unwrap(), b"new");
        assert_eq!(storage.list("").unwrap().len(), 1, "no temporary file is left");
    }

    #[test]
    fn a_second_new_file_of_one_name_is_refused() {
        let ground = tempfile::TempDir::new().unwrap();
        let storage = storage(&ground);
        storage.append_to("a", Creation::New).unwrap();
        let error = storage.append_to("a", Creation::New).err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    }

    #[test]
    fn follows_no_planted_link() {
        let ground = tempfile::TempDir::new().unwrap();
        let storage = storage(&ground);
        storage.replace("a", b"1", Durability::Unsynced).unwrap();
        fs::write(ground.path().join("victim"), "secret").unwrap();
        symlink("../victim", ground.path().join("state/pending")).unwrap();
        symlink("..", ground.path().join("state/runs")).unwrap();
        assert!(storage.read("pending", Part::All).is_err());
        assert!(storage.append_to("pending", Creation::IfMissing).is_err());
        assert!(storage.read("runs/victim", Part::All).is_err());
        storage.replace("pending", b"ours", Durability::Unsynced).unwrap();
        assert_eq!(fs::read_to_string(ground.path().join("victim")).unwrap(), "secret");
    }

    #[test]
    fn a_full_disk_leaves_no_part_of_a_line() {
        // The size limit of /dev/full: every write fails, and nothing is left to cut off.
        let full = fs::OpenOptions::new().append(true).open("/dev/full").unwrap();
        let folder = File::open("/dev").unwrap().into();
        let file = DiskFile { file: full, folder, has_unsynced_name: AtomicBool::new(false) };
        assert_eq!(file.append(b"line\n").unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
