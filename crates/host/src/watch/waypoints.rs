//! The names on the way to everything that is watched: a tree from the root directory down.
//!
//! Pure: what is on the disk is found out elsewhere. A file that one resource holds costs about 70 bytes here; no
//! whole path is kept.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, RandomState};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use super::waypoint::{GONE, Id, Inside, TOP, Waypoint};

/// The tree of all waypoints.
#[derive(Debug)]
pub(super) struct Waypoints {
    all: Vec<Waypoint>,
    free: Vec<Id>,
    /// Names come from the disk: nobody shall choose them so that they meet.
    state: RandomState,
}

impl Default for Waypoints {
    fn default() -> Self {
        let top = Waypoint::new(TOP, OsStr::new("").into());
        Self { all: vec![top], free: Vec::new(), state: RandomState::new() }
    }
}

impl Waypoints {
    /// One of them. The id must come from here, and not have been removed.
    pub(super) fn at(&self, id: Id) -> &Waypoint {
        &self.all[id as usize]
    }

    /// One of them, to change it.
    pub(super) fn at_mut(&mut self, id: Id) -> &mut Waypoint {
        &mut self.all[id as usize]
    }

    /// The directory that this one is in; the top is in itself.
    pub(super) fn above(&self, id: Id) -> Id {
        self.at(id).above
    }

    /// What is known of the inside.
    pub(super) fn inside(&self, id: Id) -> Option<&Inside> {
        self.at(id).inside.as_deref()
    }

    /// What is known of the inside, to change it. Costs some memory where there was nothing to know.
    pub(super) fn inside_mut(&mut self, id: Id) -> &mut Inside {
        self.at_mut(id).inside.get_or_insert_default()
    }

    /// The waypoint of this name in `id`.
    pub(super) fn child(&self, id: Id, name: &OsStr) -> Option<Id> {
        self.inside(id)?.below.find(self.hash(name), |below| *self.at(*below).name == *name).copied()
    }

    /// All waypoints directly in `id`.
    pub(super) fn children(&self, id: Id) -> impl Iterator<Item = Id> {
        self.inside(id).into_iter().flat_map(|inside| inside.below.iter().copied())
    }

    /// The waypoint of this name in `id`, and whether it is new.
    pub(super) fn grow(&mut self, id: Id, name: &OsStr) -> (Id, bool) {
        if let Some(known) = self.child(id, name) {
            return (known, false);
        }
        let hash = self.hash(name);
        let waypoint = Waypoint::new(id, name.into());
        let new = match self.free.pop() {
            Some(free) => {
                self.all[free as usize] = waypoint;
                free
            }
            None => {
                // Twice as much room each time would be the largest part of what a file costs.
                if self.all.len() == self.all.capacity() {
                    self.all.reserve_exact(self.all.len() / 8 + 8);
                }
                self.all.push(waypoint);
                Id::try_from(self.all.len() - 1)
                    .expect("a watch costs more memory than its number has values")
            }
        };
        // Taken out for a moment, because what is in it lies beside it.
        let mut below = std::mem::take(&mut self.inside_mut(id).below);
        below.insert_unique(hash, new, |below| self.hash_of(*below));
        self.inside_mut(id).below = below;
        (new, true)
    }

    fn hash(&self, name: &OsStr) -> u64 {
        self.state.hash_one(name)
    }

    fn hash_of(&self, id: Id) -> u64 {
        self.hash(&self.at(id).name)
    }

    /// The links that lead to `id`, or by it to somewhere.
    pub(super) fn followers(&self, id: Id) -> impl Iterator<Item = Id> {
        self.inside(id).into_iter().flat_map(|inside| inside.followers.iter())
    }

    /// Remembers whether changes may come by another directory.
    pub(super) fn set_shared(&mut self, id: Id, shared: bool) {
        if shared || self.inside(id).is_some_and(|inside| inside.shared) {
            self.inside_mut(id).shared = shared;
        }
    }

    /// Takes away the number of its watch. Whether it is there will have to be found out again.
    pub(super) fn forget_watch(&mut self, id: Id) -> Option<i32> {
        let inside = self.at_mut(id).inside.as_mut()?;
        inside.absent = false;
        inside.watch.take()
    }

    /// Whether its own content or attributes matter to somebody.
    pub(super) fn is_wanted_itself(&self, id: Id) -> bool {
        self.at(id).is_held() || self.inside(id).is_some_and(|inside| !inside.followers.is_empty())
    }

    /// It is a directory of a tree.
    pub(super) fn set_grown(&mut self, id: Id) {
        self.inside_mut(id).grown = true;
    }

    /// It is no directory of a tree any more. Returns whether it was.
    pub(super) fn clear_grown(&mut self, id: Id) -> bool {
        self.at_mut(id).inside.as_mut().is_some_and(|inside| std::mem::take(&mut inside.grown))
    }

    /// Whether it has not been removed.
    pub(super) fn is_there(&self, id: Id) -> bool {
        self.at(id).above != GONE
    }

    /// Whether anything hangs on it. The top always stays.
    pub(super) fn is_needed(&self, id: Id) -> bool {
        let point = self.at(id);
        let inside = |inside: &Inside| {
            inside.grown || !inside.below.is_empty() || !inside.followers.is_empty() || inside.has_tokens()
        };
        id == TOP || point.is_held() || self.inside(id).is_some_and(inside)
    }

    /// Whether names in it matter, so that the directory must be watched.
    pub(super) fn is_directory_of_something(&self, id: Id) -> bool {
        // Nothing is above the top that could tell of a change to itself.
        let top = id == TOP && self.at(id).is_held();
        top || self
            .inside(id)
            .is_some_and(|inside| inside.grown || !inside.below.is_empty() || inside.has_tokens())
    }

    /// Whether it matters where it leads, if it is a link.
    pub(super) fn leads_on(&self, id: Id) -> bool {
        let leads_on = |inside: &Inside| {
            inside.passed || !inside.below.is_empty() || !inside.followers.is_empty() || inside.has_tokens()
        };
        self.inside(id).is_some_and(leads_on)
    }

    /// Whether it is a link that is followed.
    pub(super) fn is_link(&self, id: Id) -> bool {
        self.inside(id).is_some_and(|inside| !inside.follows.is_empty())
    }

    /// Somebody is on a way that leads through it. Returns whether nobody was before.
    pub(super) fn set_passed(&mut self, id: Id) -> bool {
        !std::mem::replace(&mut self.inside_mut(id).passed, true)
    }

    /// Nobody is on the way any more: what needs it hangs on it by now.
    pub(super) fn clear_passed(&mut self, id: Id) {
        if let Some(inside) = self.at_mut(id).inside.as_mut() {
            inside.passed = false;
        }
    }

    /// Whether everything below it matters.
    pub(super) fn is_of_a_tree(&self, id: Id) -> bool {
        self.inside(id).is_some_and(|inside| inside.grown || !inside.trees.is_empty())
    }

    /// Removes a waypoint that nothing hangs on. Returns what it was in.
    pub(super) fn remove(&mut self, id: Id) -> Id {
        let hash = self.hash_of(id);
        let above = self.above(id);
        let mut below = std::mem::take(&mut self.inside_mut(above).below);
        if let Ok(known) = below.find_entry(hash, |known| *known == id) {
            known.remove();
        }
        // A directory that once held much must not keep the memory for it.
        if below.capacity() > 16 && below.len() < below.capacity() / 4 {
            below.shrink_to_fit(|below| self.hash_of(*below));
        }
        self.inside_mut(above).below = below;
        *self.at_mut(id) = Waypoint::new(GONE, OsStr::new("").into());
        self.free.push(id);
        above
    }

    /// The whole path.
    pub(super) fn path(&self, id: Id) -> PathBuf {
        self.path_of(id, OsStr::new(""))
    }

    /// The whole path of a name in `id`, or of `id` itself if the name is empty.
    pub(super) fn path_of(&self, id: Id, name: &OsStr) -> PathBuf {
        let mut names = Vec::with_capacity(16);
        let mut here = id;
        while here != TOP {
            let point = self.at(here);
            names.push(point.name.as_bytes());
            here = point.above;
        }
        let length = names.iter().map(|name| name.len() + 1).sum::<usize>() + name.len() + 1;
        let mut path = Vec::with_capacity(length);
        for name in names.into_iter().rev().chain((!name.is_empty()).then_some(name.as_bytes())) {
            path.push(b'/');
            path.extend_from_slice(name);
        }
        if path.is_empty() {
            path.push(b'/');
        }
        PathBuf::from(OsString::from_vec(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grown(waypoints: &mut Waypoints, path: &str) -> Id {
        path.split('/')
            .filter(|name| !name.is_empty())
            .fold(TOP, |id, name| waypoints.grow(id, OsStr::new(name)).0)
    }

    #[test]
    fn paths_come_back() {
        let mut waypoints = Waypoints::default();
        for path in ["/", "/a", "/a/b/c", "/a/b", "/x y/ä"] {
            let id = grown(&mut waypoints, path);
            assert_eq!(waypoints.path(id), PathBuf::from(path));
        }
        let a = grown(&mut waypoints, "/a");
        assert_eq!(waypoints.path_of(a, OsStr::new("new")), PathBuf::from("/a/new"));
        assert_eq!(waypoints.path_of(TOP, OsStr::new("new")), PathBuf::from("/new"));
    }

    #[test]
    fn what_is_removed_makes_room() {
        let mut waypoints = Waypoints::default();
        let leaf = grown(&mut waypoints, "/a/leaf");
        waypoints.at_mut(leaf).hold(1);
        assert!(waypoints.is_needed(leaf) && waypoints.is_needed(waypoints.above(leaf)));
        waypoints.at_mut(leaf).release(1);
        assert!(!waypoints.is_needed(leaf));
        let above = waypoints.remove(leaf);
        assert!(!waypoints.is_there(leaf) && !waypoints.is_needed(above));
        assert_eq!(waypoints.remove(above), TOP);
        assert!(waypoints.is_needed(TOP));
        grown(&mut waypoints, "/x/y");
        assert_eq!(waypoints.all.len(), 3);
    }
}
