//! Bringing the watches in line with what is there.
//!
//! A directory is watched before anything in it is looked at: whatever happens after the look is reported, and whatever
//! happened before is seen by it.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;

use super::ground::{self, Nature};
use super::paths::Paths;
use super::waypoint::{Id, Inside, TOP};

/// As many links as the kernel follows, one after the other.
pub(super) const MOST_LINKS: u32 = 40;

impl Paths {
    /// Looks at `first`, at what is below it and at the links that lead there, and watches what is there now. Returns
    /// all that was looked at.
    pub(super) fn refresh(&mut self, first: Id) -> Vec<Id> {
        let mut times: HashMap<Id, u32> = HashMap::new();
        let (mut found, mut stack) = (Vec::new(), vec![(first, false)]);
        while let Some((id, depends)) = stack.pop() {
            let before = times.entry(id).or_insert(0);
            *before += 1;
            if *before == 1 {
                found.push(id);
            }
            // Where a link leads can depend on another link that is looked at later: then it is looked at again.
            let turned = self.settle(id, 0) || depends;
            let due = |id: &Id| times.get(id).is_none_or(|times| turned && *times < MOST_LINKS);
            let next = self.points.children(id).chain(self.points.followers(id));
            stack.extend(next.filter(due).map(|id| (id, turned)));
        }
        found
    }

    /// Goes to `name` in the directory `here`, which is watched from now on.
    pub(super) fn step(&mut self, here: Id, name: &OsStr, links: u32) -> Id {
        let (next, new) = self.points.grow(here, name);
        let known = self.stale.len();
        self.catch_up(here, links);
        if new && self.stale.len() == known + 1 {
            // Only this one is in it.
            self.stale.pop();
        }
        if new || self.points.inside(next).is_some_and(|inside| inside.unresolved) {
            self.settle(next, links);
        }
        next
    }

    /// Watches a directory that was not watched before. If that works, what is below it may be another thing by now:
    /// that is left for [`catch_up_below`](Self::catch_up_below).
    pub(super) fn catch_up(&mut self, id: Id, links: u32) {
        if !self.is_blind(id) {
            return;
        }
        self.settle(id, links);
        if !self.is_blind(id) {
            self.stale.extend(self.points.children(id));
        }
    }

    /// Looks at what could not be watched before.
    pub(super) fn catch_up_below(&mut self) {
        while let Some(id) = self.stale.pop() {
            self.refresh(id);
        }
    }

    /// Tries to watch whatever is missing on the way to `id`, and on the ways of the links in between.
    pub(super) fn try_again(&mut self, id: Id) {
        let (mut stack, mut seen) = (vec![id], HashSet::from([id]));
        while let Some(id) = stack.pop() {
            let follows =
                self.points.inside(id).into_iter().flat_map(|inside| inside.follows.iter().copied());
            let on_the_way = follows.chain([self.points.above(id)]);
            stack.extend(on_the_way.filter(|id| seen.insert(*id)));
        }
        seen.retain(|id| self.blind.contains(id));
        seen.into_iter().for_each(|id| self.catch_up(id, 0));
    }

    /// Whether something is or may be there that should be watched and is not.
    fn is_blind(&self, id: Id) -> bool {
        let blind = self.points.inside(id).is_none_or(|inside| inside.watch.is_none() && !inside.absent);
        blind && self.wants_watch(id)
    }

    /// Looks at one waypoint, and watches it if something in it matters. Returns whether it is a link that leads
    /// elsewhere than before. `links` is how many were followed to come here.
    pub(super) fn settle(&mut self, id: Id, links: u32) -> bool {
        // A link that leads through itself leads nowhere.
        if !self.busy.insert(id) {
            return false;
        }
        let turned = self.look_and_watch(id, links);
        self.busy.remove(&id);
        turned
    }

    fn look_and_watch(&mut self, id: Id, links: u32) -> bool {
        // Whatever is not there has nothing in it: no need to ask.
        let above_is_absent = self.points.inside(self.points.above(id)).is_some_and(|inside| inside.absent);
        let sight = match above_is_absent {
            true => ground::NOTHING,
            false => ground::look(&self.root, &self.points.path(id)),
        };
        self.points.set_shared(id, sight.shared && id != TOP);
        let turned = match &sight.nature {
            Nature::Link(target) if self.points.leads_on(id) => self.follow(id, target, links + 1),
            _ => self.unfollow(id),
        };
        if sight.nature != Nature::Directory && self.points.clear_grown(id) {
            self.loose.push(id);
        }
        if sight.nature == Nature::Other && self.points.inside(id).is_some_and(Inside::has_tokens) {
            // Who asks for what is in it gets what there is: a file.
            self.watch_closely(self.points.above(id));
        }
        match self.wants_watch(id) {
            true => self.watch(id),
            false => self.unwatch(id),
        }
        self.grow_below(id);
        turned
    }

    /// Adds the directories in a directory of a tree. They were not looked at yet.
    fn grow_below(&mut self, id: Id) {
        let is_watched = self.points.inside(id).is_some_and(|inside| inside.watch.is_some());
        if !is_watched || !self.points.is_of_a_tree(id) {
            return;
        }
        for name in ground::directories(&self.root, &self.points.path(id)) {
            let (child, _) = self.points.grow(id, &name);
            self.points.set_grown(child);
        }
    }

    /// Lets go of what was below a tree that nobody wants any more.
    pub(super) fn ungrow(&mut self, top: Id) {
        let mut stack = vec![top];
        while let Some(id) = stack.pop() {
            if self.points.is_of_a_tree(id) {
                continue;
            }
            let below: Vec<Id> = self
                .points
                .children(id)
                .filter(|child| self.points.inside(*child).is_some_and(|inside| inside.grown))
                .collect();
            for child in below {
                self.points.clear_grown(child);
                self.loose.push(child);
                stack.push(child);
            }
        }
    }
}
