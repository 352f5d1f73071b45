//! Entries of an archive.

use std::path::PathBuf;

/// An entry of an archive, as stored there.
pub(crate) struct Item {
    /// The name in bytes, not checked yet.
    pub(crate) name: Vec<u8>,
    /// The type.
    pub(crate) kind: ItemKind,
    /// Permission bits; none if the archive has none.
    pub(crate) mode: Option<u32>,
    /// The size that the archive claims.
    pub(crate) size: u64,
}

/// The type of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    File,
    Directory,
    /// A symbolic link with its target.
    Link(PathBuf),
    /// A hard link to the entry with this name.
    HardLink(Vec<u8>),
    /// Another type, with its name.
    Other(&'static str),
}
