//! Symbolic links: a path through a link also watches the route to its target. A link that no watched path leads through is
//! not followed, because only the link itself matters.

use std::path::{Component, Path};

use super::paths::Paths;
use super::rearm::MOST_LINKS;
use super::watch_node::{Id, TOP};

impl Paths {
    /// Watches the route to `target`, the target of the link `id`. Returns whether the route changed.
    ///
    /// Links in a circle keep each other: they are freed with the watcher.
    pub(super) fn follow(&mut self, id: Id, target: &Path, links: u32) -> bool {
        let give_up = links > MOST_LINKS;
        self.tree.details_mut(id).unresolved = give_up;
        if give_up {
            return self.unfollow(id);
        }
        let route = self.route(id, target, links);
        if self.tree.details(id).is_some_and(|details| details.follows == route) {
            return false;
        }
        self.unfollow(id);
        for hop in &route {
            self.tree.details_mut(*hop).followers.insert(id);
            self.watch_if_shared(*hop);
        }
        self.tree.details_mut(id).follows = route;
        true
    }

    /// The links on the route to `target`, and finally the target itself.
    fn route(&mut self, id: Id, target: &Path, links: u32) -> Vec<Id> {
        let mut route = Vec::new();
        let mut here = if target.is_absolute() { TOP } else { self.tree.parent(id) };
        let mut components = target.components().peekable();
        while let Some(component) = components.next() {
            let end = self.resolve(here, links);
            if end != here {
                route.push(here);
            }
            here = match component {
                Component::Normal(name) => {
                    if components.peek().is_none() {
                        self.watch_content(end);
                    }
                    self.step(end, name, links)
                }
                Component::ParentDir => self.tree.parent(end),
                Component::RootDir | Component::CurDir | Component::Prefix(_) => end,
            };
        }
        self.resolve(here, links);
        route.push(here);
        route
    }

    /// Follows the links that begin at `id`, and watches their routes from now on.
    pub(super) fn resolve(&mut self, id: Id, links: u32) -> Id {
        if self.tree.set_on_route(id) {
            self.rearm(id, links);
        }
        self.end(id)
    }

    /// The end of the links that begin at `id`; itself if it is not a link.
    fn end(&self, mut id: Id) -> Id {
        for _ in 0..MOST_LINKS {
            match self.tree.details(id).and_then(|details| details.follows.last()) {
                Some(next) => id = *next,
                None => break,
            }
        }
        id
    }

    /// Stops following `id`, which is not a link any more. Returns whether it was one.
    pub(super) fn unfollow(&mut self, id: Id) -> bool {
        if !self.tree.is_link(id) {
            return false;
        }
        for hop in std::mem::take(&mut self.tree.details_mut(id).follows) {
            self.tree.details_mut(hop).followers.remove(id);
            self.prunable.push(hop);
        }
        true
    }
}
