//! The names in a directory.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_resource::Entry;

use super::node::Inode;

/// The names in a directory, and what they stand for.
///
/// One that stands for a directory of the machine below holds only the names that were learned or
/// touched; the others are as they are below.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Directory {
    /// None for a name that is gone, whatever the machine below says.
    names: BTreeMap<OsString, Option<Inode>>,
    below: Option<Below>,
    /// How many directories were put inside.
    put: u64,
    /// How many were taken away, of those that were there from the beginning, too.
    taken: u64,
}

/// The directory of the machine below.
#[derive(Clone, Debug, PartialEq)]
struct Below {
    /// Without links on the way.
    path: Arc<Path>,
    size: u64,
    links: u64,
}

/// What a name in a directory stands for.
pub(crate) enum Name {
    Taken(Inode),
    Free,
    /// Only the machine below can tell, at this path.
    Unknown(PathBuf),
}

impl Directory {
    /// The directory at `path` of the machine below.
    pub(crate) fn of(path: &Path, entry: &Entry) -> Self {
        let below = Below { path: path.into(), size: entry.size, links: entry.links };
        Self { below: Some(below), ..Self::default() }
    }

    pub(crate) fn get(&self, name: &OsStr) -> Name {
        match (self.names.get(name), &self.below) {
            (Some(Some(inode)), _) => Name::Taken(*inode),
            (None, Some(below)) => Name::Unknown(below.path.join(name)),
            (Some(None) | None, _) => Name::Free,
        }
    }

    /// Remembers what the machine below has at a name.
    pub(crate) fn learn(&mut self, name: &OsStr, inode: Option<Inode>) {
        self.names.insert(name.to_owned(), inode);
    }

    pub(crate) fn put(&mut self, name: &OsStr, inode: Inode, is_directory: bool) {
        self.put += u64::from(is_directory);
        self.names.insert(name.to_owned(), Some(inode));
    }

    /// Takes a name away that is taken.
    pub(crate) fn take(&mut self, name: &OsStr, is_directory: bool) {
        self.taken += u64::from(is_directory);
        match &self.below {
            Some(_) => self.names.insert(name.to_owned(), None),
            None => self.names.remove(name),
        };
    }

    /// What is known to be inside, sorted by name.
    pub(crate) fn children(&self) -> impl Iterator<Item = (&OsString, Inode)> {
        self.names.iter().filter_map(|(name, inode)| Some((name, (*inode)?)))
    }

    /// Where the machine below has it.
    pub(crate) fn below(&self) -> Option<&Arc<Path>> {
        self.below.as_ref().map(|below| &below.path)
    }

    /// All names, sorted; those that nobody touched are taken from `below`, which is sorted, too. Linear.
    pub(crate) fn merged(&self, below: Vec<OsString>) -> Vec<OsString> {
        let mut names = below;
        names.retain(|name| !self.names.contains_key(name));
        names.extend(self.children().map(|(name, _)| name.clone()));
        // Two sorted runs: that is one pass for this sort.
        names.sort();
        names
    }

    /// Whether nothing is inside, with `below` the names that the machine below has.
    pub(crate) fn is_empty(&self, below: &[OsString]) -> bool {
        let untouched = |name: &OsString| self.below.is_some() && !self.names.contains_key(name);
        self.children().next().is_none() && !below.iter().any(untouched)
    }

    /// A directory is named by its parent, its own `.` and the `..` of each directory inside. Some
    /// file systems do not count those, and say one.
    pub(crate) fn links(&self) -> u64 {
        match self.below.as_ref().map_or(2, |below| below.links) {
            counted @ 2.. => (counted + self.put).saturating_sub(self.taken),
            uncounted => uncounted,
        }
    }

    pub(crate) fn size(&self) -> u64 {
        self.below.as_ref().map_or(0, |below| below.size)
    }
}
