//! What is in an archive.

use std::path::PathBuf;

/// One entry of an archive, as it is written there.
pub(crate) struct Item {
    /// Its name, as bytes: nothing is checked yet.
    pub(crate) name: Vec<u8>,
    /// What it is.
    pub(crate) sort: Sort,
    /// Permission bits; none if the archive knows none.
    pub(crate) mode: Option<u32>,
    /// How long it claims to be.
    pub(crate) size: u64,
}

/// What an entry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    File,
    Directory,
    /// A symbolic link, and where it leads.
    Link(PathBuf),
    /// Another name of the entry of this name.
    HardLink(Vec<u8>),
    /// Something else: the words say what.
    Other(&'static str),
}
