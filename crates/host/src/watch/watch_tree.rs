//! The names on the paths to everything that is watched: a tree from the root directory down.
//!
//! Pure data, without access to the disk. A file that one resource manages takes about 70 bytes; full paths are not stored.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, RandomState};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use super::watch_node::{GONE, Id, NodeDetails, TOP, WatchNode};

/// The tree of all nodes.
#[derive(Debug)]
pub(super) struct WatchTree {
    all: Vec<WatchNode>,
    free: Vec<Id>,
    /// Randomized, because names on the disk could be chosen to collide.
    state: RandomState,
}

impl Default for WatchTree {
    fn default() -> Self {
        let top = WatchNode::new(TOP, OsStr::new("").into());
        Self { all: vec![top], free: Vec::new(), state: RandomState::new() }
    }
}

impl WatchTree {
    /// A node. The id must come from this tree, and not have been removed.
    pub(super) fn at(&self, id: Id) -> &WatchNode {
        &self.all[id as usize]
    }

    /// A node, to change it.
    pub(super) fn at_mut(&mut self, id: Id) -> &mut WatchNode {
        &mut self.all[id as usize]
    }

    /// The parent of a node; the root is its own.
    pub(super) fn parent(&self, id: Id) -> Id {
        self.at(id).parent
    }

    /// The details of a node.
    pub(super) fn details(&self, id: Id) -> Option<&NodeDetails> {
        self.at(id).details.as_deref()
    }

    /// The details of a node, to change them. Allocates them if there are none.
    pub(super) fn details_mut(&mut self, id: Id) -> &mut NodeDetails {
        self.at_mut(id).details.get_or_insert_default()
    }

    /// The child of `id` with this name.
    pub(super) fn child(&self, id: Id, name: &OsStr) -> Option<Id> {
        self.details(id)?.children.find(self.hash(name), |child| *self.at(*child).name == *name).copied()
    }

    /// All children of `id`.
    pub(super) fn children(&self, id: Id) -> impl Iterator<Item = Id> {
        self.details(id).into_iter().flat_map(|details| details.children.iter().copied())
    }

    /// The child of `id` with this name, which is created if it does not exist, and whether it is new.
    pub(super) fn child_or_new(&mut self, id: Id, name: &OsStr) -> (Id, bool) {
        if let Some(known) = self.child(id, name) {
            return (known, false);
        }
        let hash = self.hash(name);
        let node = WatchNode::new(id, name.into());
        let new = match self.free.pop() {
            Some(free) => {
                self.all[free as usize] = node;
                free
            }
            None => {
                // Doubling the capacity would be the largest part of the memory of a node.
                if self.all.len() == self.all.capacity() {
                    self.all.reserve_exact(self.all.len() / 8 + 8);
                }
                self.all.push(node);
                Id::try_from(self.all.len() - 1).expect("memory runs out before ids do")
            }
        };
        // Taken out for a moment, because hashing needs access to the tree.
        let mut children = std::mem::take(&mut self.details_mut(id).children);
        children.insert_unique(hash, new, |child| self.hash_of(*child));
        self.details_mut(id).children = children;
        (new, true)
    }

    fn hash(&self, name: &OsStr) -> u64 {
        self.state.hash_one(name)
    }

    fn hash_of(&self, id: Id) -> u64 {
        self.hash(&self.at(id).name)
    }

    /// The links whose route contains `id`.
    pub(super) fn followers(&self, id: Id) -> impl Iterator<Item = Id> {
        self.details(id).into_iter().flat_map(|details| details.followers.iter())
    }

    /// Records whether changes may come through another directory.
    pub(super) fn set_shared(&mut self, id: Id, shared: bool) {
        if shared || self.details(id).is_some_and(|details| details.shared) {
            self.details_mut(id).shared = shared;
        }
    }

    /// Removes the watch of a node. Whether it exists has to be probed again.
    pub(super) fn forget_watch(&mut self, id: Id) -> Option<i32> {
        let details = self.at_mut(id).details.as_mut()?;
        details.absent = false;
        details.watch.take()
    }

    /// Whether its own content or attributes matter.
    pub(super) fn matters_itself(&self, id: Id) -> bool {
        self.at(id).is_watched() || self.details(id).is_some_and(|details| !details.followers.is_empty())
    }

    /// Records that it is a directory in a tree.
    pub(super) fn set_in_tree(&mut self, id: Id) {
        self.details_mut(id).in_tree = true;
    }

    /// Records that it is not in a tree any more. Returns whether it was.
    pub(super) fn clear_in_tree(&mut self, id: Id) -> bool {
        self.at_mut(id).details.as_mut().is_some_and(|details| std::mem::take(&mut details.in_tree))
    }

    /// Whether it was not removed.
    pub(super) fn exists(&self, id: Id) -> bool {
        self.at(id).parent != GONE
    }

    /// Whether it is needed. The root always is.
    pub(super) fn is_needed(&self, id: Id) -> bool {
        let point = self.at(id);
        let details = |details: &NodeDetails| {
            details.in_tree
                || !details.children.is_empty()
                || !details.followers.is_empty()
                || details.has_tokens()
        };
        id == TOP || point.is_watched() || self.details(id).is_some_and(details)
    }

    /// Whether its names matter, so that the directory must be watched.
    pub(super) fn needs_directory_watch(&self, id: Id) -> bool {
        // The root has no parent whose watch would report it.
        let top = id == TOP && self.at(id).is_watched();
        top || self
            .details(id)
            .is_some_and(|details| details.in_tree || !details.children.is_empty() || details.has_tokens())
    }

    /// Whether its target matters, if it is a link.
    pub(super) fn must_follow(&self, id: Id) -> bool {
        let must_follow = |details: &NodeDetails| {
            details.on_route
                || !details.children.is_empty()
                || !details.followers.is_empty()
                || details.has_tokens()
        };
        self.details(id).is_some_and(must_follow)
    }

    /// Whether it is a link that is followed.
    pub(super) fn is_link(&self, id: Id) -> bool {
        self.details(id).is_some_and(|details| !details.follows.is_empty())
    }

    /// Records that a path leads through it. Returns whether that is new.
    pub(super) fn set_on_route(&mut self, id: Id) -> bool {
        !std::mem::replace(&mut self.details_mut(id).on_route, true)
    }

    /// Ends that: nodes that need it depend on it by now.
    pub(super) fn clear_on_route(&mut self, id: Id) {
        if let Some(details) = self.at_mut(id).details.as_mut() {
            details.on_route = false;
        }
    }

    /// Whether everything below it matters.
    pub(super) fn is_in_tree(&self, id: Id) -> bool {
        self.details(id).is_some_and(|details| details.in_tree || !details.trees.is_empty())
    }

    /// Removes a node that is not needed. Returns its parent.
    pub(super) fn remove(&mut self, id: Id) -> Id {
        let hash = self.hash_of(id);
        let parent = self.parent(id);
        let mut children = std::mem::take(&mut self.details_mut(parent).children);
        if let Ok(known) = children.find_entry(hash, |known| *known == id) {
            known.remove();
        }
        // A directory that once had many children must not keep their memory.
        if children.capacity() > 16 && children.len() < children.capacity() / 4 {
            children.shrink_to_fit(|child| self.hash_of(*child));
        }
        self.details_mut(parent).children = children;
        *self.at_mut(id) = WatchNode::new(GONE, OsStr::new("").into());
        self.free.push(id);
        parent
    }

    /// The full path.
    pub(super) fn path(&self, id: Id) -> PathBuf {
        self.path_of(id, OsStr::new(""))
    }

    /// The full path of a name in `id`, or of `id` itself if the name is empty.
    pub(super) fn path_of(&self, id: Id, name: &OsStr) -> PathBuf {
        let mut names = Vec::with_capacity(16);
        let mut here = id;
        while here != TOP {
            let point = self.at(here);
            names.push(point.name.as_bytes());
            here = point.parent;
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

    fn add_path(tree: &mut WatchTree, path: &str) -> Id {
        path.split('/')
            .filter(|name| !name.is_empty())
            .fold(TOP, |id, name| tree.child_or_new(id, OsStr::new(name)).0)
    }

    #[test]
    fn returns_full_paths() {
        let mut tree = WatchTree::default();
        for path in ["/", "/a", "/a/b/c", "/a/b", "/x y/ä"] {
            let id = add_path(&mut tree, path);
            assert_eq!(tree.path(id), PathBuf::from(path));
        }
        let a = add_path(&mut tree, "/a");
        assert_eq!(tree.path_of(a, OsStr::new("new")), PathBuf::from("/a/new"));
        assert_eq!(tree.path_of(TOP, OsStr::new("new")), PathBuf::from("/new"));
    }

    #[test]
    fn reuses_removed_nodes() {
        let mut tree = WatchTree::default();
        let leaf = add_path(&mut tree, "/a/leaf");
        tree.at_mut(leaf).add_token(1);
        assert!(tree.is_needed(leaf) && tree.is_needed(tree.parent(leaf)));
        tree.at_mut(leaf).remove_token(1);
        assert!(!tree.is_needed(leaf));
        let parent = tree.remove(leaf);
        assert!(!tree.exists(leaf) && !tree.is_needed(parent));
        assert_eq!(tree.remove(parent), TOP);
        assert!(tree.is_needed(TOP));
        add_path(&mut tree, "/x/y");
        assert_eq!(tree.all.len(), 3);
    }
}
