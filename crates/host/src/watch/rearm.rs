//! Rearming: brings the watches in line with the disk.
//!
//! A directory is watched before its entries are probed: any change after the probe is reported, and any earlier one is
//! seen by it.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;

use uphold_resource::Interest;

use super::path_probe;
use super::path_probe::PathKind;
use super::paths::{PathInterest, Paths};
use super::watch_node::{Id, NodeDetails, TOP};

/// The number of links that the kernel follows.
pub(super) const MOST_LINKS: u32 = 40;

impl Paths {
    /// Rearms `first`, everything below it and the links that lead there. Returns all nodes that were rearmed.
    pub(super) fn refresh(&mut self, first: Id) -> Vec<Id> {
        let mut times: HashMap<Id, u32> = HashMap::new();
        let (mut found, mut stack) = (Vec::new(), vec![(first, false)]);
        while let Some((id, depends)) = stack.pop() {
            let before = times.entry(id).or_insert(0);
            *before += 1;
            if *before == 1 {
                found.push(id);
            }
            // The target of a link can depend on another link that is probed later: then it is probed again.
            let redirected = self.rearm(id, 0) || depends;
            let due = |id: &Id| times.get(id).is_none_or(|times| redirected && *times < MOST_LINKS);
            let next = self.tree.children(id).chain(self.tree.followers(id));
            stack.extend(next.filter(due).map(|id| (id, redirected)));
        }
        found
    }

    /// Goes to `name` in the directory `here`, which is watched from now on.
    pub(super) fn step(&mut self, here: Id, name: &OsStr, links: u32) -> Id {
        let (next, new) = self.tree.child_or_new(here, name);
        let known = self.unrefreshed.len();
        self.catch_up(here, links);
        if new && self.unrefreshed.len() == known + 1 {
            // It is the only child.
            self.unrefreshed.pop();
        }
        if new || self.tree.details(next).is_some_and(|details| details.unresolved) {
            self.rearm(next, links);
        }
        next
    }

    /// Watches a directory that was not watched before. If that works, its children may have changed meanwhile: they are left
    /// for [`catch_up_below`](Self::catch_up_below).
    pub(super) fn catch_up(&mut self, id: Id, links: u32) {
        if !self.is_blind(id) {
            return;
        }
        self.rearm(id, links);
        if !self.is_blind(id) {
            self.unrefreshed.extend(self.tree.children(id));
        }
    }

    /// Refreshes nodes whose directory could not be watched before.
    pub(super) fn catch_up_below(&mut self) {
        while let Some(id) = self.unrefreshed.pop() {
            self.refresh(id);
        }
    }

    /// Tries to watch all missing directories on the route to `id`, including the routes of links.
    pub(super) fn try_again(&mut self, id: Id) {
        let (mut stack, mut seen) = (vec![id], HashSet::from([id]));
        while let Some(id) = stack.pop() {
            let follows =
                self.tree.details(id).into_iter().flat_map(|details| details.follows.iter().copied());
            let on_route = follows.chain([self.tree.parent(id)]);
            stack.extend(on_route.filter(|id| seen.insert(*id)));
        }
        seen.retain(|id| self.blind.contains(id));
        seen.into_iter().for_each(|id| self.catch_up(id, 0));
    }

    /// Whether it should be watched and is not, although it may exist.
    fn is_blind(&self, id: Id) -> bool {
        let blind = self.tree.details(id).is_none_or(|details| details.watch.is_none() && !details.absent);
        blind && self.wants_watch(id)
    }

    /// Probes one node, and watches it if its children matter. Returns whether it is a link whose route changed. `links` is the
    /// number of links that were followed to reach it.
    pub(super) fn rearm(&mut self, id: Id, links: u32) -> bool {
        // A link that leads through itself leads nowhere.
        if !self.in_progress.insert(id) {
            return false;
        }
        let redirected = self.probe_and_watch(id, links);
        self.in_progress.remove(&id);
        redirected
    }

    fn probe_and_watch(&mut self, id: Id, links: u32) -> bool {
        // A missing directory has no entries, which saves a probe.
        let parent_is_absent = self.tree.details(self.tree.parent(id)).is_some_and(|details| details.absent);
        let found = if parent_is_absent {
            path_probe::MISSING
        } else {
            path_probe::probe(&self.root, &self.tree.path(id))
        };
        self.tree.set_shared(id, found.shared && id != TOP);
        let redirected = match &found.kind {
            PathKind::Link(target) if self.tree.must_follow(id) => self.follow(id, target, links + 1),
            _ => self.unfollow(id),
        };
        if found.kind != PathKind::Directory && self.tree.clear_in_tree(id) {
            self.prunable.push(id);
        }
        if found.kind == PathKind::Other && self.tree.details(id).is_some_and(NodeDetails::has_tokens) {
            // An interest in the entries of a file becomes one in the file.
            self.watch_content(self.tree.parent(id));
        }
        if self.wants_watch(id) {
            self.watch(id);
        } else {
            self.unwatch(id);
        }
        self.add_subdirectories(id);
        redirected
    }

    /// Adds the subdirectories of a directory in a tree. They are not probed yet.
    fn add_subdirectories(&mut self, id: Id) {
        let is_watched = self.tree.details(id).is_some_and(|details| details.watch.is_some());
        if !is_watched || !self.tree.is_in_tree(id) {
            return;
        }
        for name in path_probe::directories(&self.root, &self.tree.path(id)) {
            let (child, _) = self.tree.child_or_new(id, &name);
            self.tree.set_in_tree(child);
        }
    }

    /// Removes the directories of a tree that is not watched any more.
    pub(super) fn remove_subdirectories(&mut self, top: Id) {
        let mut stack = vec![top];
        while let Some(id) = stack.pop() {
            if self.tree.is_in_tree(id) {
                continue;
            }
            let children: Vec<Id> = self
                .tree
                .children(id)
                .filter(|child| self.tree.details(*child).is_some_and(|details| details.in_tree))
                .collect();
            for child in children {
                self.tree.clear_in_tree(child);
                self.prunable.push(child);
                stack.push(child);
            }
        }
    }
}

// The interests of one token.

/// The interests of one token. Most have one path, which costs no extra memory.
#[derive(Default)]
pub(super) struct ArmedSet {
    /// A digest of the interests, unless some of them could not be armed.
    pub(super) print: Option<u64>,
    pub(super) only: Option<PathInterest>,
    pub(super) more: Option<Box<MoreArmed>>,
}

/// The interests of tokens with more than one path, or with others than paths.
pub(super) struct MoreArmed {
    /// All paths, sorted.
    paths: Box<[PathInterest]>,
    /// Interests that are not paths.
    others: Box<[Interest]>,
}

impl ArmedSet {
    /// These paths and other interests. `print` is `None` if some could not be armed.
    pub(super) fn new(print: Option<u64>, mut paths: Vec<PathInterest>, others: Vec<Interest>) -> Self {
        paths.sort_unstable();
        paths.dedup();
        match paths[..] {
            [] if others.is_empty() => Self { print, ..Self::default() },
            [only] if others.is_empty() => Self { print, only: Some(only), more: None },
            _ => {
                let more = MoreArmed { paths: paths.into(), others: others.into() };
                Self { print, only: None, more: Some(Box::new(more)) }
            }
        }
    }

    /// The paths, sorted.
    pub(super) fn paths(&self) -> &[PathInterest] {
        match &self.more {
            Some(more) => &more.paths,
            None => self.only.as_slice(),
        }
    }

    /// The interests that are not paths.
    pub(super) fn others(&self) -> &[Interest] {
        self.more.as_ref().map_or(&[], |more| &more.others)
    }
}

#[cfg(test)]
mod tests {
    use super::super::paths::Extent;
    use super::*;

    #[test]
    fn returns_its_interests() {
        let path = |at| PathInterest { at, extent: Extent::Path };
        let check = |paths: &[u32], others: &[Interest], expected: &[u32]| {
            let armed = ArmedSet::new(Some(7), paths.iter().copied().map(path).collect(), others.to_vec());
            assert_eq!(armed.paths(), expected.iter().copied().map(path).collect::<Vec<_>>());
            assert_eq!(armed.others(), others);
        };
        check(&[], &[], &[]);
        check(&[3], &[], &[3]);
        check(&[3, 3], &[], &[3]);
        check(&[3, 1, 3], &[], &[1, 3]);
        check(&[3], &[Interest::Process("p".into())], &[3]);
        check(&[], &[Interest::Process("p".into())], &[]);
    }
}
