//! Links: whoever watches a path through a link watches the way to where it leads, too. A link that nothing leads
//! through is not followed: what it is does not depend on where it leads.

use std::path::{Component, Path};

use super::paths::Paths;
use super::settle::MOST_LINKS;
use super::waypoint::{Id, TOP};

impl Paths {
    /// Watches the way to `target`, where the link `id` leads. Returns whether that is another way than before.
    ///
    /// Links that lead to each other in a circle keep each other: they are forgotten with the watcher.
    pub(super) fn follow(&mut self, id: Id, target: &Path, links: u32) -> bool {
        let give_up = links > MOST_LINKS;
        self.points.inside_mut(id).unresolved = give_up;
        if give_up {
            return self.unfollow(id);
        }
        let way = self.way(id, target, links);
        if self.points.inside(id).is_some_and(|inside| inside.follows == way) {
            return false;
        }
        self.unfollow(id);
        for hop in &way {
            self.points.inside_mut(*hop).followers.insert(id);
            self.watch_if_shared(*hop);
        }
        self.points.inside_mut(id).follows = way;
        true
    }

    /// The links on the way to `target`, and at last the place itself.
    fn way(&mut self, id: Id, target: &Path, links: u32) -> Vec<Id> {
        let mut way = Vec::new();
        let mut here = if target.is_absolute() { TOP } else { self.points.above(id) };
        let mut components = target.components().peekable();
        while let Some(component) = components.next() {
            let real = self.pass(here, links);
            if real != here {
                way.push(here);
            }
            here = match component {
                Component::Normal(name) => {
                    if components.peek().is_none() {
                        self.watch_closely(real);
                    }
                    self.step(real, name, links)
                }
                Component::ParentDir => self.points.above(real),
                Component::RootDir | Component::CurDir | Component::Prefix(_) => real,
            };
        }
        self.pass(here, links);
        way.push(here);
        way
    }

    /// Goes to where the links lead that begin at `id`. They are followed from now on.
    pub(super) fn pass(&mut self, id: Id, links: u32) -> Id {
        if self.points.set_passed(id) {
            self.settle(id, links);
        }
        self.real(id)
    }

    /// Where the links lead that begin at `id`; itself if it is none.
    fn real(&self, mut id: Id) -> Id {
        for _ in 0..MOST_LINKS {
            match self.points.inside(id).and_then(|inside| inside.follows.last()) {
                Some(next) => id = *next,
                None => break,
            }
        }
        id
    }

    /// It is no link, or not any more. Returns whether it was one.
    pub(super) fn unfollow(&mut self, id: Id) -> bool {
        if !self.points.is_link(id) {
            return false;
        }
        for hop in std::mem::take(&mut self.points.inside_mut(id).follows) {
            self.points.inside_mut(hop).followers.remove(id);
            self.loose.push(hop);
        }
        true
    }
}
