//! A name on the way to something that is watched.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::sync::Arc;

use super::numbers::Numbers;

/// Which waypoint.
pub(super) type Id = u32;

/// The root directory.
pub(super) const TOP: Id = 0;

/// What a waypoint that was removed has above it.
pub(super) const GONE: Id = Id::MAX;

/// A name on the way.
#[derive(Debug)]
pub(super) struct Waypoint {
    /// The directory that it is in.
    pub(super) above: Id,
    /// How it is called there.
    pub(super) name: Arc<OsStr>,
    /// Who wants to know of this very path.
    pub(super) paths: Numbers,
    /// What else is known of it.
    pub(super) inside: Option<Box<Inside>>,
}

/// What most waypoints have nothing of: they are files that one resource holds.
#[derive(Debug, Default)]
pub(super) struct Inside {
    /// The waypoints in it.
    pub(super) below: HashMap<Arc<OsStr>, Id>,
    /// Who wants to know of the names in it.
    pub(super) entries: Numbers,
    /// Who wants to know of everything below it.
    pub(super) trees: Numbers,
    /// The links that lead here, or by this link to somewhere.
    pub(super) followers: Numbers,
    /// If this is a link: the links on the way to where it leads, and at last that place.
    pub(super) follows: Vec<Id>,
    /// The kernel's number of the watch, while it is watched.
    pub(super) watch: Option<i32>,
    /// Not only names matter, but content and attributes of what is in it.
    pub(super) closely: bool,
    /// It is here because it is a directory somewhere below a tree.
    pub(super) grown: bool,
    /// The directory above does not hear of every change, because something is mounted here, or the file has other names.
    pub(super) shared: bool,
    /// It was not there when it was last looked at.
    pub(super) absent: bool,
    /// Somebody is on a way that leads through it.
    pub(super) passed: bool,
    /// It is a link that was not followed, because too many were before it.
    pub(super) unresolved: bool,
}

impl Waypoint {
    /// Nobody is interested in it yet.
    pub(super) fn new(above: Id, name: Arc<OsStr>) -> Self {
        Self { above, name, paths: Numbers::default(), inside: None }
    }

    /// Whoever wants to know when something happens to this very name.
    pub(super) fn tokens(&self) -> impl Iterator<Item = u32> {
        self.paths.iter().chain(self.tokens_behind())
    }

    /// Whoever also wants to know when something happens to where it leads, if it is a link. Whoever holds a path wants
    /// the link itself.
    pub(super) fn tokens_behind(&self) -> impl Iterator<Item = u32> {
        let inside = self.inside.as_deref();
        inside.into_iter().flat_map(|inside| inside.entries.iter().chain(inside.trees.iter()))
    }
}

impl Inside {
    /// Whether somebody wants to know of what is in it.
    pub(super) fn has_tokens(&self) -> bool {
        !self.entries.is_empty() || !self.trees.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_costs_little() {
        assert!(size_of::<Waypoint>() <= 48, "{}", size_of::<Waypoint>());
    }
}
