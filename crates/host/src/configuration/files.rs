//! Files that a configuration reads.

use std::path::{Path, PathBuf};

use uphold_resource::{Error, ErrorKind, Result};

use super::disk;
use super::kept::Kept;
use super::location::Location;
use crate::archive::{Contents, Format, Found, Node};
use crate::environment::current_directory;

/// The machine's files as a configuration sees them: an archive counts as a directory, so
/// `modules.tar.gz/web/main.hcl` is a file in it. Known archives are `.tar`, `.tar.gz`, `.tgz`, `.tar.zst`,
/// `.tzst` and `.zip`.
///
/// # Guarantees
/// - What was read stays the same for as long as this lives, also a failure. It is kept in memory.
/// - Only regular files are read, of at most 64 MiB; a pipe or a device never makes it wait.
/// - Nothing of an archive is written anywhere, and no entry can lead out of it. It may hold 64 MiB and
///   10,000 entries. Symbolic links in it are not followed.
///
/// What an archive does not have at its top is looked for in its only top directory, if it has just one.
/// Archives in archives are not opened. Can be shared between threads.
#[derive(Default)]
pub struct ConfigurationFiles {
    files: Kept<Vec<u8>>,
    lists: Kept<Vec<String>>,
    archives: Kept<Contents>,
}

impl ConfigurationFiles {
    /// Nothing read yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The content of a file. An archive itself is a file, too.
    ///
    /// # Errors
    /// A reason in a few words, such as `no such file`, without the path.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>> {
        match self.locate(path) {
            Location::Archive { archive, format, inside } if !inside.is_empty() => {
                self.archived(&archive, format, |contents| match contents.find(&inside) {
                    Some(Found::File(content)) => Ok(content.to_vec()),
                    Some(Found::Directory(_)) => Err(wrong("it is a directory, not a regular file")),
                    Some(Found::Other(words)) => Err(wrong(&format!("it is {words}, which is not read"))),
                    None => Err(missing("file", &archive)),
                })?
            }
            Location::Disk(path) | Location::Archive { archive: path, .. } => {
                self.files.get(&path, || disk::read(&path), |content| copied(content))
            }
        }
    }

    /// Hands over the content of a file, piece by piece. It is read anew, and of a file on the disk nothing is kept.
    ///
    /// # Errors
    /// As of [`ConfigurationFiles::read`]. Pieces that were handed over before are not all of it.
    pub fn read_pieces(&self, path: &Path, take: &mut dyn FnMut(&[u8])) -> Result<()> {
        match self.locate(path) {
            Location::Archive { inside, .. } if !inside.is_empty() => {
                self.read(path).map(|content| take(&content))
            }
            Location::Disk(path) | Location::Archive { archive: path, .. } => disk::read_pieces(&path, take),
        }
    }

    /// The names in a directory, sorted; those of directories end with `/`. In an archive, names of what
    /// cannot be read are left out. A name that is not UTF-8 leads to no file.
    ///
    /// # Errors
    /// A reason in a few words, such as `no such directory`, without the path.
    pub fn list(&self, directory: &Path) -> Result<Vec<String>> {
        match self.locate(directory) {
            Location::Disk(path) => self.lists.get(&path, || disk::list(&path), Clone::clone),
            Location::Archive { archive, format, inside } => {
                self.archived(&archive, format, |contents| match contents.find(&inside) {
                    Some(Found::Directory(names)) => Ok(names.iter().filter_map(shown).collect()),
                    Some(_) => Err(wrong("it is not a directory")),
                    None => Err(missing("directory", &archive)),
                })?
            }
        }
    }

    /// Where on the disk the content of `path` is, as an absolute path without `..`: of what is in an archive, the
    /// archive. That is what must be watched to notice a change. It need not be there.
    ///
    /// # Errors
    /// If the current directory cannot be found.
    pub fn on_disk(&self, path: &Path) -> Result<PathBuf> {
        let (Location::Disk(place) | Location::Archive { archive: place, .. }) = self.locate(path);
        Ok(disk::absolute(&current_directory()?.join(place)))
    }

    /// Where `path` leads. What was an archive stays one.
    pub(super) fn locate(&self, path: &Path) -> Location {
        Location::of(path, |path| self.archives.has(path) || disk::leads_to(path, |kind| kind.is_file()))
    }

    /// Whether it can be listed.
    pub(super) fn is_directory(&self, path: &Path) -> Result<bool> {
        match self.locate(path) {
            Location::Disk(path) => Ok(disk::leads_to(&path, |kind| kind.is_dir())),
            Location::Archive { archive, format, inside } => self.archived(&archive, format, |contents| {
                matches!(contents.find(&inside), Some(Found::Directory(_)))
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

fn copied(content: &[u8]) -> Vec<u8> {
    let mut copy = disk::room(content.len());
    copy.extend_from_slice(content);
    copy
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
