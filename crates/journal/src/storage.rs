//! The files of a journal, behind a small trait: a directory on disk, or a simulation in memory that can lose power.

mod directory;
mod disk;
mod memory;

use std::io;

pub use directory::{Location, Problem, Surroundings};
pub(crate) use disk::{DiskStorage, lock_file_at, read_machine_file};
pub use memory::MemoryStorage;

use crate::time::Time;

/// The part of a file that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    All,
    /// At most so many bytes from its start.
    Start(usize),
    /// At most so many bytes before its end.
    End(usize),
}

/// Whether a file to append to must exist, or must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Creation {
    /// It is created if it is missing.
    IfMissing,
    /// It is created; an existing one is an error ([`io::ErrorKind::AlreadyExists`]).
    New,
}

/// Whether a replaced file survives a power loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// After the call, the new content survives.
    Synced,
    /// After a power loss, the file may have its old content, its new content, or a part of the new one.
    Unsynced,
}

/// A file of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFile {
    /// Its name within the folder.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// The time of its last change.
    pub modified: Time,
    /// Whether it is a folder.
    pub is_folder: bool,
}

/// The files of a journal. Names are relative, with `/` after a folder; folders are created when they are needed.
pub trait Storage: Send + Sync {
    /// The content of a file; [`io::ErrorKind::NotFound`] if it is missing.
    fn read(&self, name: &str, part: Part) -> io::Result<Vec<u8>>;
    /// Opens a file to append to it.
    fn append_to(&self, name: &str, creation: Creation) -> io::Result<Box<dyn AppendFile>>;
    /// Replaces a file in one step: readers see the old content or the new one.
    fn replace(&self, name: &str, content: &[u8], durability: Durability) -> io::Result<()>;
    /// Removes a file. A missing one is fine.
    fn remove(&self, name: &str) -> io::Result<()>;
    /// Excludes other processes that lock the same storage, until the value is dropped. A storage in memory has none.
    fn lock(&self) -> io::Result<Box<dyn Send>> {
        Ok(Box::new(()))
    }
    /// The entries of a folder; none if it is missing.
    fn list(&self, folder: &str) -> io::Result<Vec<StoredFile>>;
}

/// A file that is open for appending.
pub trait AppendFile: Send + Sync {
    /// Its size.
    fn length(&self) -> io::Result<u64>;
    /// Appends all bytes. After an error nothing of them is left, if the storage allows that.
    fn append(&self, bytes: &[u8]) -> io::Result<()>;
    /// Cuts it off at `length`.
    fn cut(&self, length: u64) -> io::Result<()>;
    /// Waits until all of it survives a power loss, and its name too.
    fn sync(&self) -> io::Result<()>;
}

/// The content of a file, or nothing if it is missing.
pub(crate) fn read_if_present(storage: &dyn Storage, name: &str, part: Part) -> io::Result<Vec<u8>> {
    match storage.read(name, part) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        other => other,
    }
}
