//! Files, directories and links.

use std::any::Any;
use std::ffi::OsString;
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Act;
use super::receiver::Receiver;
use crate::error::{Error, ErrorKind, Result, wrong_type};

/// The thing at a path: its type and attributes. Symbolic links are not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its type.
    pub kind: EntryKind,
    /// Permission bits, with set-user-id, set-group-id and sticky: `0o7777` at most.
    pub mode: u32,
    /// Owner.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Size in bytes.
    pub size: u64,
    /// Number of hard links.
    pub links: u64,
    /// Device and inode: equal for two names of one file.
    pub identity: (u64, u64),
    /// Modification time. Users with write permission can set it back.
    pub modified: SystemTime,
    /// Change time, which the kernel sets whenever content or attributes change.
    pub changed: SystemTime,
}

/// The type of an [`Entry`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link with its target.
    Link(PathBuf),
    /// A device, pipe or socket, described as in "a named pipe".
    Other(&'static str),
}

impl EntryKind {
    /// A description with its article, for messages.
    pub fn words(&self) -> &'static str {
        match self {
            EntryKind::File => "a regular file",
            EntryKind::Directory => "a directory",
            EntryKind::Link(_) => "a symbolic link",
            EntryKind::Other(words) => words,
        }
    }
}

/// The size limit for files that are read whole, unless the caller sets another. Any user may own the file, and a sparse
/// file of any size costs its owner nothing.
pub const READ_LIMIT: u64 = 64 << 20;

/// Reading files and directories.
///
/// # Guarantees
/// Content is read through a symbolic link in the path only if no user but root and this one can write the link's
/// directory, because the content may be copied to where others can read it. `look` and `list` follow all links in the path.
pub trait Files: Send + Sync {
    /// The directory that is the root of all paths, if it is not the machine's own root. For messages.
    fn root(&self) -> Option<&Path> {
        None
    }
    /// The entry at `path`; `None` if it does not exist. A final link is reported, not followed.
    fn look(&self, path: &Path) -> Result<Option<Entry>>;
    /// The content of the regular file at `path`, of at most `limit` bytes. A final link is an error.
    /// `size` is the size from [`look`](Files::look), or 0: a hint for the first read.
    ///
    /// # Errors
    /// If it cannot be read, or is larger than `limit`. In that case no memory was allocated for it.
    fn read_within(&self, path: &Path, size: u64, limit: u64) -> Result<Vec<u8>>;

    /// The content of the regular file at `path`, of at most [`READ_LIMIT`] bytes: see [`read_within`](Files::read_within).
    fn read(&self, path: &Path, size: u64) -> Result<Vec<u8>> {
        self.read_within(path, size, READ_LIMIT)
    }

    /// The names in the directory `path`, sorted, without the temporary names of files that Uphold is writing.
    fn list(&self, path: &Path) -> Result<Vec<OsString>>;

    /// Whether the regular file at `path` contains exactly `content`. `seen` is its entry, from [`look`](Files::look) just now:
    /// the machine may know the content of a file with these attributes, and then does not open it.
    ///
    /// # Errors
    /// If it cannot be read.
    fn contains(&self, path: &Path, seen: &Entry, content: &[u8]) -> Result<bool> {
        let size = content.len() as u64;
        Ok(seen.size == size && self.read_within(path, size, size.max(READ_LIMIT))? == content)
    }

    /// The SHA-256 digest of the regular file at `path`, if the machine remembers digests: of a file that did not change since,
    /// without opening it. `None` if the caller has to read it.
    ///
    /// # Errors
    /// If it cannot be read.
    fn sha256(&self, path: &Path) -> Result<Option<[u8; 32]>> {
        let _ = path;
        Ok(None)
    }

    /// Opens the regular file at `path` for reading in pieces. A final link is an error.
    fn open(&self, path: &Path) -> Result<Box<dyn OpenFile>> {
        Ok(Box::new(Cursor::new(self.read(path, 0)?)))
    }
}

/// Remembers the contents of files, so that a file that did not change since need not be read.
pub trait KnownContents: Send + Sync {
    /// Whether a regular file with exactly these attributes is known to contain exactly `content`.
    fn contains(&self, seen: &Entry, content: &[u8]) -> bool;
    /// The SHA-256 digest of a regular file with exactly these attributes, if it is known.
    fn sha256(&self, seen: &Entry) -> Option<[u8; 32]>;
    /// A regular file has these attributes and this content. The caller is certain that each change from now on changes an
    /// attribute, too.
    fn remember(&self, seen: &Entry, content: &[u8]);
    /// The same for its SHA-256 digest.
    fn remember_sha256(&self, seen: &Entry, digest: [u8; 32]);
}

/// A file that is open for reading.
pub trait OpenFile: Read + Seek + Send {}

impl<T: Read + Seek + Send> OpenFile for T {}

/// Owner and permissions. `None` leaves an attribute unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Permission bits.
    pub mode: Option<u32>,
    /// Owner.
    pub uid: Option<u32>,
    /// Group.
    pub gid: Option<u32>,
}

/// Checks a candidate file; an error rejects it.
pub type Verify<'a> = dyn Fn(&Path) -> Result<()> + 'a;

/// A file that appears at its path in one step.
#[derive(Clone, Copy)]
pub struct NewFile<'a> {
    /// The content.
    pub content: &'a [u8],
    /// Owner and permissions. `None` is taken from the replaced file; a new file gets mode 0600 and the user and group of
    /// this process.
    pub access: Access,
    /// Checks the finished file under a temporary name; an error leaves the path unchanged. The host may keep the
    /// rejected content elsewhere.
    pub verify: Option<&'a Verify<'a>>,
    /// Whether to replace something that is not a regular file.
    pub replace_other: bool,
    /// Whether rejected content that is kept for this path stays: it is the work of another resource in the same run.
    pub keeps_rejected: bool,
}

impl<'a> NewFile<'a> {
    /// A file without verification that replaces only a regular file.
    pub fn new(content: &'a [u8], access: Access) -> Self {
        Self { content, access, verify: None, replace_other: false, keeps_rejected: false }
    }
}

/// A file that is written, and not at its path yet: see [`FileEdits::stage`]. Dropped, it is gone.
pub struct StagedFile(Box<dyn Any + Send>);

impl StagedFile {
    /// A file as its machine knows it.
    pub fn new(file: impl Any + Send) -> Self {
        Self(Box::new(file))
    }

    /// The file as its machine knows it; `None` if another machine has staged it.
    pub fn into_inner<T: Any>(self) -> Option<T> {
        self.0.downcast().ok().map(|file| *file)
    }
}

/// Changing files and directories.
///
/// # Guarantees
/// - A file appears or changes in one step: another process that opens it gets the old or the new file, complete and
///   with its final owner and mode.
/// - The last component is never followed if it is a symbolic link. A link before it is followed only if root
///   or the caller must have created it.
/// - Mode, owner and extended attributes of a replaced file are kept unless a change is requested. A change of owner
///   drops the permissions that the previous owner granted.
pub trait FileEdits: Send + Sync {
    /// Writes `file` to `path`. Other hard links of a replaced file keep the old content.
    fn write(&self, path: &Path, file: &NewFile<'_>) -> Result<()>;
    /// Writes `file` to `path` if the file there still contains `old`, or is still missing if that is `None`. Returns
    /// false, and changes nothing, if another process has written it since. A write between this comparison and the
    /// rename, which follows at once, is lost: only a lock that all writers use could prevent that.
    fn write_over(&self, path: &Path, old: Option<&[u8]>, file: &NewFile<'_>) -> Result<bool> {
        let _ = old;
        self.write(path, file).map(|()| true)
    }
    /// Writes `file` to a file without a name, in the directory of `path`, and does not wait for the disk. `None` if it has to be
    /// [written](Self::write) at once: it is to be verified, replaces a directory, or the machine cannot stage it.
    fn stage(&self, path: &Path, file: &NewFile<'_>) -> Result<Option<StagedFile>> {
        let _ = (path, file);
        Ok(None)
    }
    /// Puts staged files at their paths, with one result each, in the same order. They are durable when this returns: one
    /// wait for the disk serves many files.
    fn put_staged(&self, files: Vec<StagedFile>) -> Vec<Result<()>> {
        let foreign = || Error::new(ErrorKind::Defect, "the file was staged on another machine");
        files.into_iter().map(|_| Err(foreign())).collect()
    }
    /// Starts or resumes receiving a file in pieces, which is then put at `path`.
    fn receive<'a>(&'a self, path: &'a Path) -> Result<Box<dyn Receiver + 'a>>;
    /// The content of the regular file at `path`, for changing it. The path is resolved as for a write, so that the content
    /// comes from the file that is written, never through a link that another user planted.
    ///
    /// # Errors
    /// If it cannot be read, or is larger than `limit`.
    fn content(&self, path: &Path, limit: u64) -> Result<Vec<u8>>;
    /// Creates the directory `path`. Its parent must exist.
    fn make_directory(&self, path: &Path, access: &Access) -> Result<()>;
    /// Makes `path` a symbolic link to `target`. Replaces a file or link.
    fn make_link(&self, path: &Path, target: &Path) -> Result<()>;
    /// Makes `path` a hard link to the file `target`. Replaces a file or link.
    fn make_hard_link(&self, path: &Path, target: &Path) -> Result<()>;
    /// Changes owner and permissions of the entry `seen` at `path`; of a symbolic link, only the owner. Fails if another
    /// entry is at `path` by now, because any user with write permission in the directory could have swapped it.
    fn set_access(&self, path: &Path, seen: &Entry, access: &Access) -> Result<()>;
    /// Copies the file `from` to `to` with owner, mode and attributes.
    fn copy(&self, from: &Path, to: &Path) -> Result<()>;
    /// Removes the file or link at `path`.
    fn remove_file(&self, path: &Path) -> Result<()>;
    /// Removes the empty directory `path`.
    fn remove_directory(&self, path: &Path) -> Result<()>;
    /// Removes the entry at `path` with everything inside. Symbolic links are removed, not followed.
    fn remove_tree(&self, path: &Path) -> Result<()>;
    /// Removes temporary files that killed runs left in `directory`. Files that are in use, that another user can have
    /// created, or that cannot be removed stay.
    fn remove_leftovers(&self, directory: &Path) {
        let _ = directory;
    }
}

/// Sets owner and permissions of the entry at `path`, whose [`EntryKind::words`] must be `expected`.
///
/// # Errors
/// If the entry does not exist or has another type, even if that changes during the call.
pub fn set_access(path: &Path, expected: &str, access: &Access, host: &Act<'_>) -> Result<()> {
    let seen = host.files().look(path)?.ok_or_else(|| {
        let what = format!("cannot set the permissions of {}: it does not exist", path.display());
        Error::new(ErrorKind::Missing, what)
    })?;
    if seen.kind.words() != expected {
        return Err(wrong_type(path, seen.kind.words(), expected));
    }
    host.edits().set_access(path, &seen, access)
}
