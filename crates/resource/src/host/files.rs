//! Files, directories and links.

use std::ffi::OsString;
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Act;
use super::receiver::Receiver;
use crate::error::{Error, ErrorKind, Result, wrong_type};

/// What sits at a path. Links are not followed.
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
    /// How many names it has.
    pub links: u64,
    /// Device and inode: equal for two names of one file.
    pub identity: (u64, u64),
    /// When its content last changed; whoever may write the file can set this back.
    pub modified: SystemTime,
    /// When its content or attributes last changed, as the kernel notes it.
    pub changed: SystemTime,
}

/// The type of an [`Entry`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, and where it points.
    Link(PathBuf),
    /// A device, pipe or socket: the words say which, as in "a named pipe".
    Other(&'static str),
}

impl EntryKind {
    /// With its article, for messages.
    pub fn words(&self) -> &'static str {
        match self {
            EntryKind::File => "a regular file",
            EntryKind::Directory => "a directory",
            EntryKind::Link(_) => "a symbolic link",
            EntryKind::Other(words) => words,
        }
    }
}

/// The largest file that is read whole unless its reader sets another limit. Anybody may own the file, and a sparse one
/// of any size costs its owner nothing.
pub const READ_LIMIT: u64 = 64 << 20;

/// Reading files and directories.
///
/// # Guarantees
/// Content is read through a link on the way only if its directory admits no other writers than root and this user: what is
/// read may be used where others can read it. Looking and listing follow all links on the way.
pub trait Files: Send + Sync {
    /// What is at `path`, or none. A final link is reported, not followed.
    fn look(&self, path: &Path) -> Result<Option<Entry>>;
    /// The content of the regular file at `path`, of at most `limit` bytes. A final link is an error.
    /// `size` is what [`look`](Files::look) said, or 0: a hint for the first read.
    ///
    /// # Errors
    /// If it cannot be read, or is larger than `limit`; then nothing was allocated for it.
    fn read_within(&self, path: &Path, size: u64, limit: u64) -> Result<Vec<u8>>;

    /// The same for any file that is read whole: at most [`READ_LIMIT`] bytes.
    fn read(&self, path: &Path, size: u64) -> Result<Vec<u8>> {
        self.read_within(path, size, READ_LIMIT)
    }

    /// The names in the directory `path`, sorted; without temporary names of what Uphold itself is writing there.
    fn list(&self, path: &Path) -> Result<Vec<OsString>>;

    /// The regular file at `path`, to be read piece by piece. A final link is an error.
    fn open(&self, path: &Path) -> Result<Box<dyn OpenFile>> {
        Ok(Box::new(Cursor::new(self.read(path, 0)?)))
    }
}

/// A file that is open for reading.
pub trait OpenFile: Read + Seek + Send {}

impl<T: Read + Seek + Send> OpenFile for T {}

/// Owner and permissions. What is none stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Permission bits.
    pub mode: Option<u32>,
    /// Owner.
    pub uid: Option<u32>,
    /// Group.
    pub gid: Option<u32>,
}

/// Looks at a candidate file, and may refuse it.
pub type Verify<'a> = dyn Fn(&Path) -> Result<()> + 'a;

/// A file as it should appear, all at once.
#[derive(Clone, Copy)]
pub struct NewFile<'a> {
    /// What it contains.
    pub content: &'a [u8],
    /// Owner and permissions. What is none is taken from the file that is replaced; a new file
    /// gets mode 0600 and the identity of this process.
    pub access: Access,
    /// Looks at the finished file under a temporary name, and may refuse it: then what is at the
    /// path stays. The host may keep the refused content aside.
    pub verify: Option<&'a Verify<'a>>,
    /// Whether something that is not a regular file may be replaced.
    pub replace_other: bool,
}

impl<'a> NewFile<'a> {
    /// A file that nobody has to look at first, and that replaces nothing but a regular file.
    pub fn new(content: &'a [u8], access: Access) -> Self {
        Self { content, access, verify: None, replace_other: false }
    }
}

/// Changing files and directories.
///
/// # Guarantees
/// - A name appears or changes all at once: what another process opens is the old or the new
///   file, whole, with its final owner and mode.
/// - The last component is never followed if it is a link; a link on the way is followed only
///   if nobody but root and the caller could have put it there.
/// - What was not asked for is kept: mode, owner and extended attributes of a replaced file; but
///   what a former owner allowed goes with a change of owner.
pub trait FileEdits: Send + Sync {
    /// Puts `file` at `path`. A replaced file's other hard links keep the old content.
    fn write(&self, path: &Path, file: &NewFile<'_>) -> Result<()>;
    /// The same, if the file at `path` still contains `old`, or is still missing if that is none. Returns false, and changes
    /// nothing, if another process has written it since. What one writes between this comparison and the rename, which
    /// follows at once, is lost: only a lock that all writers know could prevent that.
    fn write_over(&self, path: &Path, old: Option<&[u8]>, file: &NewFile<'_>) -> Result<bool> {
        let _ = old;
        self.write(path, file).map(|()| true)
    }
    /// Begins, or goes on with, a file that comes piece by piece and will be put at `path`.
    fn receive<'a>(&'a self, path: &'a Path) -> Result<Box<dyn Receiver + 'a>>;
    /// The content of the regular file at `path`, for writing it anew. Reached as for a write: what
    /// is written back can only come from where it goes to, never through a link that somebody
    /// else planted on the way.
    ///
    /// # Errors
    /// If it cannot be read, or is larger than `limit`.
    fn content(&self, path: &Path, limit: u64) -> Result<Vec<u8>>;
    /// Makes the directory `path`, in an existing one.
    fn make_directory(&self, path: &Path, access: &Access) -> Result<()>;
    /// Makes `path` a symbolic link to `target`, replacing a file or link.
    fn make_link(&self, path: &Path, target: &Path) -> Result<()>;
    /// Makes `path` another name of the file `target`, replacing a file or link.
    fn make_hard_link(&self, path: &Path, target: &Path) -> Result<()>;
    /// Changes owner and permissions of what was `seen` at `path`; of a link itself, only the owner. Nothing is changed if
    /// something else is there by now: whoever can write the directory could have exchanged it.
    fn set_access(&self, path: &Path, seen: &Entry, access: &Access) -> Result<()>;
    /// Copies the file `from` to `to` with owner, mode and attributes.
    fn copy(&self, from: &Path, to: &Path) -> Result<()>;
    /// Removes the file or link at `path`.
    fn remove_file(&self, path: &Path) -> Result<()>;
    /// Removes the empty directory `path`.
    fn remove_directory(&self, path: &Path) -> Result<()>;
    /// Removes whatever is at `path`, with all that is inside. Links are removed, not followed.
    fn remove_tree(&self, path: &Path) -> Result<()>;
    /// Removes what runs that were killed left in `directory` under temporary names. What is in use, and what others can
    /// have put there, stays; so does what cannot be removed.
    fn remove_leftovers(&self, directory: &Path) {
        let _ = directory;
    }
}

/// Sets owner and permissions of what is at `path`, which must be of this type, in the words of [`EntryKind::words`].
///
/// # Errors
/// If nothing is there, or something of another type. A type that changes meanwhile is noticed, too.
pub fn set_access(path: &Path, expected: &str, access: &Access, host: &Act<'_>) -> Result<()> {
    let seen = host.files().look(path)?.ok_or_else(|| {
        let what = format!("cannot set the access of {}: it does not exist", path.display());
        Error::new(ErrorKind::Missing, what)
    })?;
    if seen.kind.words() != expected {
        return Err(wrong_type(path, seen.kind.words(), expected));
    }
    host.edits().set_access(path, &seen, access)
}
