//! The names in a directory.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_resource::Entry;

use super::node::Inode;

/// The names in a directory with their nodes.
///
/// A directory of the base machine has only the names that were learned or changed; the others are unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Directory {
    /// `None` for a name that was removed, whatever the base machine has.
    names: BTreeMap<OsString, Option<Inode>>,
    below: Option<Below>,
    /// How many subdirectories were added.
    put: u64,
    /// How many subdirectories were removed, including original ones.
    taken: u64,
}

/// The directory of the base machine.
#[derive(Clone, Debug, PartialEq)]
struct Below {
    /// Its path without links.
    path: Arc<Path>,
    size: u64,
    links: u64,
}

/// The state of a name in a directory.
pub(crate) enum Name {
    Taken(Inode),
    Free,
    /// Unknown: the base machine must be queried, at this path.
    Unknown(PathBuf),
}

impl Directory {
    /// The directory at `path` of the base machine.
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

    /// Remembers the node of a name on the base machine.
    pub(crate) fn learn(&mut self, name: &OsStr, inode: Option<Inode>) {
        self.names.insert(name.to_owned(), inode);
    }

    pub(crate) fn put(&mut self, name: &OsStr, inode: Inode, is_directory: bool) {
        self.put += u64::from(is_directory);
        self.names.insert(name.to_owned(), Some(inode));
    }

    /// Removes a name that exists.
    pub(crate) fn take(&mut self, name: &OsStr, is_directory: bool) {
        self.taken += u64::from(is_directory);
        match &self.below {
            Some(_) => self.names.insert(name.to_owned(), None),
            None => self.names.remove(name),
        };
    }

    /// The known children, sorted by name.
    pub(crate) fn children(&self) -> impl Iterator<Item = (&OsString, Inode)> {
        self.names.iter().filter_map(|(name, inode)| Some((name, (*inode)?)))
    }

    /// Its path on the base machine.
    pub(crate) fn below(&self) -> Option<&Arc<Path>> {
        self.below.as_ref().map(|below| &below.path)
    }

    /// All names, sorted. Unchanged ones are taken from `below`, which must be sorted. Linear.
    pub(crate) fn merged(&self, below: Vec<OsString>) -> Vec<OsString> {
        let mut names = below;
        names.retain(|name| !self.names.contains_key(name));
        names.extend(self.children().map(|(name, _)| name.clone()));
        // Two sorted runs, which this sort merges in one pass.
        names.sort();
        names
    }

    /// Whether it is empty; `below` are the names that the base machine has.
    pub(crate) fn is_empty(&self, below: &[OsString]) -> bool {
        let untouched = |name: &OsString| self.below.is_some() && !self.names.contains_key(name);
        self.children().next().is_none() && !below.iter().any(untouched)
    }

    /// The number of hard links: its name in the parent, its own `.`, and the `..` of each subdirectory. Some file systems do not
    /// count those, and report one.
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
