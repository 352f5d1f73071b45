//! Configuration files, on the disk and in archives.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_model::SourceText;
use uphold_resource::{Error, ErrorKind, Mutex, Result};

use super::Location;
use super::content::FileContent;
use super::disk;
use crate::archive::{Contents, Format, FoundEntry, Node};
use crate::cached_result::CachedResult;
use crate::environment::current_directory;

/// The files of the machine as a configuration sees them. An archive counts as a directory: `modules.tar.gz/web/main.hcl`
/// is a file in it. Supported archives are `.tar`, `.tar.gz`, `.tgz`, `.tar.zst`, `.tzst` and `.zip`.
///
/// # Guarantees
/// - What was read once, even a failure, stays the same as long as this lives. It is kept in memory.
/// - Only regular files are read, of at most 64 MiB; a pipe or a device never blocks.
/// - Nothing of an archive is written to the disk, and no entry can lead out of it. It may contain 64 MiB and 10,000
///   entries. Symbolic links in it are not followed.
///
/// A file that does not exist at the top of an archive is searched in its only top directory, if it has just one. Archives
/// in archives are not opened. Can be shared between threads.
#[derive(Default)]
pub struct ConfigurationFiles {
    /// Whether texts stay in memory until the process ends.
    until_exit: bool,
    files: PathCache<FileContent>,
    lists: PathCache<Vec<String>>,
    archives: PathCache<Contents>,
}

impl ConfigurationFiles {
    /// Files of which nothing was read yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Files whose texts stay in memory until the process ends: they are read faster, and a [`SourceText`] of them is never
    /// counted. For a program that reads a configuration once, and ends.
    pub fn until_exit() -> Self {
        Self { until_exit: true, ..Self::default() }
    }

    /// The content of a file. An archive can be read as a file, too.
    ///
    /// # Errors
    /// A short reason, such as `no such file`, without the path.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>> {
        self.content(path).map(FileContent::into_bytes)
    }

    /// The text of a file, shared with this cache; none if it is not UTF-8.
    ///
    /// # Errors
    /// As [`ConfigurationFiles::read`].
    pub fn read_source(&self, path: &Path) -> Result<Option<SourceText>> {
        self.content(path).map(FileContent::into_text)
    }

    pub(super) fn content(&self, path: &Path) -> Result<FileContent> {
        match self.locate(path) {
            Location::Archive { archive, format, inside } if !inside.is_empty() => {
                self.archived(&archive, format, |contents| match contents.find(&inside) {
                    Some(FoundEntry::File(content)) => Ok(FileContent::new(content.to_vec())),
                    Some(FoundEntry::Directory(_)) => Err(wrong("it is a directory, not a regular file")),
                    Some(FoundEntry::Other(words)) => {
                        Err(wrong(&format!("it is {words}, which cannot be read")))
                    }
                    None => Err(missing("file", &archive)),
                })?
            }
            Location::Disk(path) | Location::Archive { archive: path, .. } => {
                let read = || {
                    if self.until_exit {
                        disk::read_until_exit(&path).map(FileContent::until_exit)
                    } else {
                        disk::read(&path).map(FileContent::new)
                    }
                };
                self.files.get(&path, read, FileContent::clone)
            }
        }
    }

    /// Passes the content of a file to `take` in pieces. It is read again, and a file on the disk is not cached.
    ///
    /// # Errors
    /// As [`ConfigurationFiles::read`]. Pieces that were passed before are incomplete then.
    pub fn read_pieces(&self, path: &Path, take: &mut dyn FnMut(&[u8])) -> Result<()> {
        match self.locate(path) {
            Location::Archive { inside, .. } if !inside.is_empty() => {
                self.read(path).map(|content| take(&content))
            }
            Location::Disk(path) | Location::Archive { archive: path, .. } => disk::read_pieces(&path, take),
        }
    }

    /// The names in a directory, sorted; those of directories end with `/`. In an archive, entries that cannot be read are left
    /// out. A name that is not UTF-8 leads to no file.
    ///
    /// # Errors
    /// A short reason, such as `no such directory`, without the path.
    pub fn list(&self, directory: &Path) -> Result<Vec<String>> {
        match self.locate(directory) {
            Location::Disk(path) => self.lists.get(&path, || disk::list(&path), Clone::clone),
            Location::Archive { archive, format, inside } => {
                self.archived(&archive, format, |contents| match contents.find(&inside) {
                    Some(FoundEntry::Directory(names)) => Ok(names.iter().filter_map(shown).collect()),
                    Some(_) => Err(wrong("it is not a directory")),
                    None => Err(missing("directory", &archive)),
                })?
            }
        }
    }

    /// The path on the disk that holds the content of `path`, absolute and without `..`: for a file in an archive, the archive.
    /// It must be watched to detect a change, and need not exist.
    ///
    /// # Errors
    /// If the current directory cannot be determined.
    pub fn on_disk(&self, path: &Path) -> Result<PathBuf> {
        let (Location::Disk(place) | Location::Archive { archive: place, .. }) = self.locate(path);
        Ok(disk::absolute(&current_directory()?.join(place)))
    }

    /// The location of `path`. An archive that was opened stays one.
    pub(super) fn locate(&self, path: &Path) -> Location {
        Location::of(path, |path| self.archives.has(path) || disk::leads_to(path, |kind| kind.is_file()))
    }

    /// Whether it is a directory or an archive.
    pub(super) fn is_directory(&self, path: &Path) -> Result<bool> {
        match self.locate(path) {
            Location::Disk(path) => Ok(disk::leads_to(&path, |kind| kind.is_dir())),
            Location::Archive { archive, format, inside } => self.archived(&archive, format, |contents| {
                matches!(contents.find(&inside), Some(FoundEntry::Directory(_)))
            }),
        }
    }

    fn archived<R>(&self, archive: &Path, format: Format, show: impl FnOnce(&Contents) -> R) -> Result<R> {
        let unpack = || {
            let unpacked = disk::read(archive).and_then(|packed| format.unpack(&packed));
            unpacked.map_err(|error| error.while_(format!("cannot unpack {}", archive.display())))
        };
        self.archives.get(archive, unpack, show)
    }
}

fn shown((name, node): (&String, &Node)) -> Option<String> {
    match node {
        Node::File(_) => Some(name.clone()),
        Node::Directory(_) => Some(format!("{name}/")),
        Node::Other(_) => None,
    }
}

fn wrong(what: &str) -> Error {
    Error::new(ErrorKind::WrongType, what)
}

fn missing(what: &str, archive: &Path) -> Error {
    Error::new(ErrorKind::Missing, format!("no such {what} in {}", archive.display()))
}

/// Results that are computed once for each path. Only callers with the same path wait for each other.
pub(super) struct PathCache<T>(Mutex<HashMap<PathBuf, Arc<CachedResult<T>>>>);

impl<T> Default for PathCache<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> PathCache<T> {
    /// Whether this path was requested before.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.0.lock().contains_key(path)
    }

    /// The result of the first `find` for `path`, passed through `show`.
    pub(super) fn get<R>(
        &self,
        path: &Path,
        find: impl FnOnce() -> Result<T>,
        show: impl FnOnce(&T) -> R,
    ) -> Result<R> {
        let result = {
            let mut results = self.0.lock();
            match results.get(path) {
                Some(result) => Arc::clone(result),
                None => Arc::clone(results.entry(path.to_owned()).or_default()),
            }
        };
        result.get(find).map(show)
    }
}
