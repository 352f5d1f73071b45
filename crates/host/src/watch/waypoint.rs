//! A name on the way to something that is watched.

use std::ffi::OsStr;

use hashbrown::HashTable;

use super::numbers::Numbers;

/// Which waypoint.
pub(super) type Id = u32;

/// The root directory.
pub(super) const TOP: Id = 0;

/// Who is first where nobody is; whoever has this number is among the others.
const NOBODY: u32 = u32::MAX;

/// What a waypoint that was removed has above it.
pub(super) const GONE: Id = Id::MAX;

/// A name on the way.
#[derive(Debug)]
pub(super) struct Waypoint {
    /// The directory that it is in.
    pub(super) above: Id,
    /// How it is called there.
    pub(super) name: Box<OsStr>,
    /// The first who wants to know of this very path.
    first: u32,
    /// What else is known of it.
    pub(super) inside: Option<Box<Inside>>,
}

/// What most waypoints have nothing of: they are files that one resource holds.
#[derive(Debug, Default)]
pub(super) struct Inside {
    /// The waypoints in it.
    pub(super) below: HashTable<Id>,
    /// Who else wants to know of this very path.
    others: Numbers,
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
    pub(super) fn new(above: Id, name: Box<OsStr>) -> Self {
        Self { above, name, first: NOBODY, inside: None }
    }

    /// Somebody wants to know of this very path. The first costs no memory.
    pub(super) fn hold(&mut self, token: u32) {
        if self.is_first(token) {
            return;
        }
        if token != NOBODY && !self.is_held() {
            self.first = token;
        } else {
            self.inside.get_or_insert_default().others.insert(token);
        }
    }

    /// Somebody does not want to know of it any more.
    pub(super) fn release(&mut self, token: u32) {
        if self.is_first(token) {
            self.first = NOBODY;
        } else if let Some(inside) = &mut self.inside {
            inside.others.remove(token);
        }
    }

    /// Whether somebody wants to know of this very path.
    pub(super) fn is_held(&self) -> bool {
        self.first != NOBODY || self.inside.as_ref().is_some_and(|inside| !inside.others.is_empty())
    }

    fn is_first(&self, token: u32) -> bool {
        token != NOBODY && self.first == token
    }

    /// Whoever wants to know when something happens to this very name.
    pub(super) fn tokens(&self) -> impl Iterator<Item = u32> {
        let first = (self.first != NOBODY).then_some(self.first);
        let others = self.inside.as_deref().into_iter().flat_map(|inside| inside.others.iter());
        first.into_iter().chain(others).chain(self.tokens_behind())
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
        assert!(size_of::<Waypoint>() <= 32, "{}", size_of::<Waypoint>());
    }

    #[test]
    fn a_path_is_held_by_any_number() {
        let check = |held: &[u32], released: &[u32], expected: &[u32]| {
            let mut point = Waypoint::new(TOP, OsStr::new("x").into());
            held.iter().for_each(|token| point.hold(*token));
            released.iter().for_each(|token| point.release(*token));
            let mut tokens: Vec<u32> = point.tokens().collect();
            tokens.sort_unstable();
            assert_eq!(tokens, expected, "{held:?} without {released:?}");
            assert_eq!(point.is_held(), !expected.is_empty());
        };
        check(&[], &[1], &[]);
        check(&[0], &[], &[0]);
        check(&[1, 1], &[1], &[]);
        check(&[1, 2, 3], &[], &[1, 2, 3]);
        check(&[1, 2], &[1], &[2]);
        check(&[1, 2], &[2], &[1]);
        check(&[NOBODY, 1, NOBODY], &[], &[1, NOBODY]);
        check(&[NOBODY], &[NOBODY], &[]);
        let mut point = Waypoint::new(TOP, OsStr::new("x").into());
        [1, 2].into_iter().for_each(|token| point.hold(token));
        point.release(1);
        point.hold(2);
        assert_eq!(point.tokens().collect::<Vec<_>>(), [2], "nobody is told twice");
    }
}
