//! From a report to whom it concerns. Costs a few lookups, however much is watched.

use std::collections::{BTreeSet, HashSet};
use std::time::Instant;

use rustix::fs::inotify::ReadFlags;
use uphold_resource::Token;

use super::ground;
use super::numbers::Numbers;
use super::paths::{Paths, unwatchable};
use super::reports::Report;
use super::tidings::Tidings;
use super::waypoint::{Id, TOP};
use crate::temporary;

/// A name came or went.
const NAMES: ReadFlags =
    ReadFlags::CREATE.union(ReadFlags::DELETE).union(ReadFlags::MOVED_FROM).union(ReadFlags::MOVED_TO);

/// A name came.
const CAME: ReadFlags = ReadFlags::CREATE.union(ReadFlags::MOVED_TO);

impl Paths {
    /// Takes in one report. Call [`finish`](Self::finish) when there are no more.
    pub(super) fn take_in(&mut self, report: &Report<'_>, tidings: &mut Tidings) {
        if report.what.contains(ReadFlags::QUEUE_OVERFLOW) {
            tracing::warn!("the queue of inotify overflowed, everything is checked");
            self.upset.insert(TOP);
            tidings.lost();
        } else if report.what.contains(ReadFlags::IGNORED) {
            self.forgotten(report.watch);
        } else if !self.is_put_off(report) {
            self.spread(report, tidings);
        }
    }

    /// Tells of writes that were not finished in time.
    pub(super) fn tell_of_unfinished(&mut self, tidings: &mut Tidings) {
        let now = Instant::now();
        while let Some((watch, name)) = self.unfinished.take_due(now) {
            self.spread(&Report { watch, what: ReadFlags::MODIFY, name: &name }, tidings);
        }
    }

    /// Whether it is a write that counts when it is finished. Whatever else is told of a file tells of that, too.
    fn is_put_off(&mut self, report: &Report<'_>) -> bool {
        if !report.what.contains(ReadFlags::MODIFY) || report.what.contains(ReadFlags::ISDIR) {
            self.unfinished.end(report.watch, report.name);
            return false;
        }
        if self.unfinished.knows(report.watch, report.name) {
            return true;
        }
        // What nobody wants to know must not be remembered: a neighbour may be a busy log.
        !self.concerns_somebody(report) || self.unfinished.begin(report.watch, report.name, Instant::now())
    }

    /// To every place that the watch is for.
    fn spread(&mut self, report: &Report<'_>, tidings: &mut Tidings) {
        let here: Vec<Id> = self.watched.get(&report.watch).into_iter().flat_map(Numbers::iter).collect();
        for id in here {
            self.happened(id, report, tidings);
        }
    }

    fn concerns_somebody(&self, report: &Report<'_>) -> bool {
        let mut here = self.watched.get(&report.watch).into_iter().flat_map(Numbers::iter);
        here.any(|id| match (report.name.is_empty(), self.points.child(id, report.name)) {
            (true, _) => !self.interested_behind(id).is_empty(),
            (false, Some(child)) if !self.interested(child).is_empty() => true,
            (false, _) => !self.with_trees_around(id).is_empty(),
        })
    }

    /// Brings to an end what was begun. Another thing may be where something happened: the watches are brought in line
    /// before anybody is told. However often something happened to a directory, that is done once.
    pub(super) fn finish(&mut self, tidings: &mut Tidings) {
        let upset = std::mem::take(&mut self.upset);
        for id in upset.iter().filter(|id| !self.is_below(**id, &upset)).copied().collect::<BTreeSet<Id>>() {
            let found = self.refresh(id);
            if !tidings.is_lost() {
                tidings.path_changed(self.concerned(id, &found), || self.points.path(id));
            }
        }
        self.catch_up_below();
        self.tell_of_trouble(tidings);
        self.prune();
    }

    /// Whether it is somewhere below one of these.
    fn is_below(&self, mut id: Id, places: &HashSet<Id>) -> bool {
        while id != TOP {
            id = self.points.above(id);
            if places.contains(&id) {
                return true;
            }
        }
        false
    }

    /// The kernel ended a watch, because the directory was removed or unmounted.
    fn forgotten(&mut self, watch: i32) {
        self.unfinished.forget(watch);
        let Some(ids) = self.watched.remove(&watch) else { return };
        for id in ids.iter() {
            self.points.inside_mut(id).watch = None;
            self.upset.insert(id);
        }
    }

    /// Something happened in the directory `id`, or to it if there is no name.
    fn happened(&mut self, id: Id, report: &Report<'_>, tidings: &mut Tidings) {
        if report.name.is_empty() {
            return tidings.path_changed(self.interested_behind(id), || self.points.path(id));
        }
        let is_name = report.what.intersects(NAMES);
        if self.is_passing(id, report, is_name) {
            return;
        }
        self.tell_those_above(id, report, is_name, tidings);
        let is_new_directory = report.what.contains(ReadFlags::ISDIR) && report.what.intersects(CAME);
        if is_new_directory && self.points.is_of_a_tree(id) {
            let (child, _) = self.points.grow(id, report.name);
            self.points.set_grown(child);
        }
        match self.points.child(id, report.name) {
            Some(child) if is_name => {
                self.upset.insert(child);
            }
            Some(child) => tidings.path_changed(self.interested(child), || self.points.path(child)),
            None => {}
        }
    }

    /// Whether this is about something that is written under a temporary name, or under none, before it is put in place.
    /// What is watched by its own name is not.
    fn is_passing(&self, id: Id, report: &Report<'_>, is_name: bool) -> bool {
        let nameless = temporary::is_nameless(report.name) && !is_name;
        if !nameless && !temporary::is_temporary(report.name) || self.points.child(id, report.name).is_some()
        {
            return false;
        }
        // A file may have such a name: then it is there.
        ground::open(&self.root, &self.points.path(id)).is_ok_and(|directory| match nameless {
            true => ground::is_missing(&directory, report.name),
            false => temporary::is_passing(&directory, report.name),
        })
    }

    /// Those who want to know of the names in this directory, and of the trees that it is in.
    fn tell_those_above(&self, id: Id, report: &Report<'_>, is_name: bool, tidings: &mut Tidings) {
        let mut tokens = self.with_trees_around(id);
        if let Some(inside) = self.points.inside(id).filter(|_| is_name) {
            tokens.extend(inside.entries.iter());
        }
        tidings.path_changed(tokens, || self.points.path_of(id, report.name));
    }

    /// Those who want to know of everything in this directory.
    fn with_trees_around(&self, id: Id) -> Vec<Token> {
        let (mut tokens, mut here) = (Vec::new(), Some(id));
        while let Some((id, inside)) = here.and_then(|id| Some((id, self.points.inside(id)?))) {
            tokens.extend(inside.trees.iter());
            here = inside.grown.then(|| self.points.above(id));
        }
        tokens
    }

    /// Those who want to know of content and attributes of this very thing, also by links that lead there.
    fn interested(&self, id: Id) -> Vec<Token> {
        let itself = self.points.at(id).tokens();
        itself.chain(self.interested_by_links(id)).collect()
    }

    /// The same of what is watched, which is where it leads if it is a link.
    fn interested_behind(&self, id: Id) -> Vec<Token> {
        if !self.points.is_link(id) {
            return self.interested(id);
        }
        let behind = self.points.at(id).tokens_behind();
        behind.chain(self.interested_by_links(id)).collect()
    }

    fn interested_by_links(&self, id: Id) -> Vec<Token> {
        let (mut tokens, mut found) = (Vec::new(), self.points.followers(id).collect::<Vec<Id>>());
        let mut seen: HashSet<Id> = found.iter().copied().collect();
        while let Some(link) = found.pop() {
            tokens.extend(self.points.at(link).tokens_behind());
            found.extend(self.points.followers(link).filter(|next| seen.insert(*next)));
        }
        tokens
    }

    /// Those who are interested in something that cannot be watched any more.
    fn tell_of_trouble(&mut self, tidings: &mut Tidings) {
        for (id, errno) in std::mem::take(&mut self.trouble) {
            let error = unwatchable(&self.points.path(id), errno);
            let because = match error.advice() {
                Some(advice) => format!("{error}: {advice}"),
                None => error.chain(),
            };
            for token in self.concerned(id, &self.all_around(id)) {
                tidings.blind(token, &because);
            }
        }
    }

    /// Everything below `id`, and the links that lead there.
    fn all_around(&self, id: Id) -> Vec<Id> {
        let (mut found, mut stack) = (vec![id], vec![id]);
        let mut seen = HashSet::from([id]);
        while let Some(id) = stack.pop() {
            let next = self.points.children(id).chain(self.points.followers(id));
            let new: Vec<Id> = next.filter(|next| seen.insert(*next)).collect();
            found.extend(&new);
            stack.extend(new);
        }
        found
    }

    /// Those whom it concerns that another thing is at `first`, of which this is all that is below it, and the links
    /// that lead there.
    fn concerned(&self, first: Id, around: &[Id]) -> Vec<Token> {
        let all: HashSet<Id> = around.iter().copied().collect();
        let is_itself = |id: Id| id == first || all.contains(&self.points.above(id));
        let mut tokens = Vec::new();
        for id in around.iter().copied() {
            let point = self.points.at(id);
            match is_itself(id) {
                true => tokens.extend(point.tokens()),
                false => tokens.extend(point.tokens_behind()),
            }
        }
        tokens
    }
}
