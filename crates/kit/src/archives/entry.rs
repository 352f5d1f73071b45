//! Entries of an archive.

use std::path::PathBuf;

/// An entry of an archive, as stored there.
#[derive(Clone, Debug)]
pub struct ArchiveEntry {
    /// The name in bytes, not checked yet.
    pub name: Vec<u8>,
    /// The type.
    pub kind: ArchiveEntryKind,
    /// Permission bits; none if the archive has none.
    pub mode: Option<u32>,
    /// The size that the archive claims.
    pub size: u64,
}

/// The type of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveEntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link with its target.
    Link(PathBuf),
    /// A hard link to the entry with this name.
    HardLink(Vec<u8>),
    /// Another type, with its name.
    Other(&'static str),
}
