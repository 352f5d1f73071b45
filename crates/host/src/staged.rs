//! Files that are written, and put at their paths together: one wait for the disk serves many files.
//!
//! When a file gets its name, its content is on the disk. A crash at any moment shows the old file or the new one, complete.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use rustix::fs::{FileType, Stat};
use rustix::process::{Resource, getrlimit};
use uphold_resource::{Error, ErrorKind, NewFile, Result, StagedFile};

use crate::dir_entry::DirEntry;
use crate::durability::Durability;
use crate::io_error::io_error;
use crate::root::Root;
use crate::temporary::Temporary;
use crate::{calls, write};

/// A staged file has two handles. All staged files together use at most a quarter of those that the process may have.
const SHARE_OF_HANDLES: usize = 8;

/// The most staged files if the number of handles is not limited.
const MOST: usize = 4096;

/// The staged files of a machine.
#[derive(Default)]
pub(crate) struct Staging {
    /// How many there are.
    count: Arc<AtomicUsize>,
    /// How many there may be.
    most: OnceLock<usize>,
    durability: Durability,
}

/// A file without a name, and the place where it is put.
struct NewEntry {
    path: PathBuf,
    directory: OwnedFd,
    file: File,
    device: u64,
    /// The file that it replaces.
    existing: Option<Stat>,
    _counted: Counted,
}

/// One staged file, as long as it exists.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Staging {
    /// Writes a file without a name; none if it has to be written at once.
    pub(crate) fn stage(&self, root: &Root, path: &Path, file: &NewFile<'_>) -> Result<Option<StagedFile>> {
        if file.verify.is_some() {
            return Ok(None);
        }
        let Some(counted) = self.count_one() else { return Ok(None) };
        let entry = DirEntry::find(root, path)?;
        let Some(mut new) = Temporary::nameless(&entry) else { return Ok(None) };
        new.fill(file.content)?;
        let existing = write::set_attributes(&entry, &new, &file.access, file.replace_other)?;
        let is_directory = |stat: &Stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory;
        if existing.as_ref().is_some_and(is_directory) {
            return Ok(None);
        }
        let device =
            calls::fstat(new.file()).map_err(|errno| entry.error("read the attributes of", errno))?.st_dev;
        let file = new.into_file();
        let DirEntry { directory, .. } = entry;
        let (path, _counted) = (path.to_owned(), counted);
        Ok(Some(StagedFile::new(NewEntry { path, directory, file, device, existing, _counted })))
    }

    fn count_one(&self) -> Option<Counted> {
        let counted = Counted(self.count.clone());
        let most = *self.most.get_or_init(most);
        (self.count.fetch_add(1, Ordering::Relaxed) < most).then_some(counted)
    }

    /// Puts staged files at their paths.
    pub(crate) fn put(&self, files: Vec<StagedFile>) -> Vec<Result<()>> {
        let files: Vec<Option<NewEntry>> = files.into_iter().map(StagedFile::into_inner).collect();
        let contents: Vec<_> = files.iter().flatten().map(|new| (new.device, &new.file)).collect();
        let mut synced = self.durability.sync(&contents).into_iter();
        let mut put: Vec<Result<Placed>> = files
            .into_iter()
            .map(|new| {
                let new = new.ok_or_else(foreign)?;
                match synced.next() {
                    Some(Err(errno)) => Err(io_error("sync", &new.path, errno.into())),
                    _ => new.put(),
                }
            })
            .collect();
        self.sync_directories(&mut put);
        put.into_iter().map(|result| result.map(drop)).collect()
    }

    /// Waits until the names are on the disk, once for each directory.
    fn sync_directories(&self, put: &mut [Result<Placed>]) {
        let mut directories: Vec<(&Path, u64, &OwnedFd)> = put
            .iter()
            .flatten()
            .map(|placed| (placed.directory_path(), placed.device, &placed.directory))
            .collect();
        directories.sort_by_key(|(path, ..)| *path);
        directories.dedup_by_key(|(path, ..)| *path);
        let handles: Vec<_> = directories.iter().map(|(_, device, handle)| (*device, handle)).collect();
        let synced = self.durability.sync_directories(&handles);
        let failed: Vec<_> = directories
            .iter()
            .zip(synced)
            .filter_map(|((path, ..), result)| Some((path.to_path_buf(), result.err()?)))
            .collect();
        for (directory, errno) in failed {
            let is_inside = |result: &&mut Result<Placed>| {
                result.as_ref().is_ok_and(|placed| placed.directory_path() == directory)
            };
            for result in put.iter_mut().filter(is_inside) {
                let path = result.as_ref().map(|placed| placed.path.clone()).unwrap_or_default();
                *result = Err(io_error("sync the directory of", &path, errno.into()));
            }
        }
    }
}

/// A file that is at its path.
struct Placed {
    path: PathBuf,
    directory: OwnedFd,
    device: u64,
}

impl Placed {
    fn directory_path(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }
}

impl NewEntry {
    fn put(self) -> Result<Placed> {
        let Self { path, directory, file, device, existing, .. } = self;
        let name = path.file_name().ok_or_else(foreign)?;
        let entry = DirEntry { directory, name, path: &path };
        let new = Temporary::without_name(&entry, file);
        if existing.is_some() { new.put() } else { new.put_new() }?;
        let DirEntry { directory, .. } = entry;
        Ok(Placed { path, directory, device })
    }
}

/// How many files may be staged at the same time.
fn most() -> usize {
    let handles = getrlimit(Resource::Nofile).current.and_then(|most| usize::try_from(most).ok());
    handles.map_or(MOST, |most| (most / SHARE_OF_HANDLES).min(MOST))
}

fn foreign() -> Error {
    Error::new(ErrorKind::Defect, "the file was staged on another machine")
}
