//! Finds the tokens that a report concerns. Costs a few lookups, however much is watched.

use std::collections::{BTreeSet, HashSet};
use std::time::Instant;

use rustix::fs::inotify::ReadFlags;
use uphold_resource::Token;

use super::change_batch::{ChangeBatch, Report};
use super::path_probe;
use super::paths::{Paths, unwatchable};
use super::small_set::SmallSet;
use super::watch_node::{Id, TOP};
use crate::temporary;

/// A name appeared or vanished.
const NAMES: ReadFlags =
    ReadFlags::CREATE.union(ReadFlags::DELETE).union(ReadFlags::MOVED_FROM).union(ReadFlags::MOVED_TO);

/// A name appeared.
const APPEARED: ReadFlags = ReadFlags::CREATE.union(ReadFlags::MOVED_TO);

impl Paths {
    /// Processes one report. Call [`finish`](Self::finish) after the last one.
    pub(super) fn process(&mut self, report: &Report<'_>, batch: &mut ChangeBatch) {
        if report.what.contains(ReadFlags::QUEUE_OVERFLOW) {
            tracing::warn!("the queue of inotify overflowed, everything is checked");
            self.replaced.insert(TOP);
            batch.lost();
        } else if report.what.contains(ReadFlags::IGNORED) {
            self.watch_ended(report.watch);
        } else if !self.is_deferred(report) {
            self.deliver(report, batch);
        }
    }

    /// Reports writes whose files were not closed in time.
    pub(super) fn report_open_writes(&mut self, batch: &mut ChangeBatch) {
        let now = Instant::now();
        while let Some((watch, name)) = self.open_writes.take_due(now) {
            self.deliver(&Report { watch, what: ReadFlags::MODIFY, name: &name }, batch);
        }
    }

    /// Whether it is a write that is reported when the file is closed. Any other report of the file covers the write.
    fn is_deferred(&mut self, report: &Report<'_>) -> bool {
        if !report.what.contains(ReadFlags::MODIFY) || report.what.contains(ReadFlags::ISDIR) {
            self.open_writes.end(report.watch, report.name);
            return false;
        }
        if self.open_writes.contains(report.watch, report.name) {
            return true;
        }
        // Writes that concern no token must not be remembered: another file may be a busy log.
        !self.concerns_any_token(report) || self.open_writes.begin(report.watch, report.name, Instant::now())
    }

    /// Delivers a report to every node of its watch.
    fn deliver(&mut self, report: &Report<'_>, batch: &mut ChangeBatch) {
        let here: Vec<Id> = self.watched.get(&report.watch).into_iter().flat_map(SmallSet::iter).collect();
        for id in here {
            self.deliver_to_node(id, report, batch);
        }
    }

    fn concerns_any_token(&self, report: &Report<'_>) -> bool {
        let mut here = self.watched.get(&report.watch).into_iter().flat_map(SmallSet::iter);
        here.any(|id| match (report.name.is_empty(), self.tree.child(id, report.name)) {
            (true, _) => !self.tokens_through(id).is_empty(),
            (false, Some(child)) if !self.tokens_of(child).is_empty() => true,
            (false, _) => !self.tree_tokens(id).is_empty(),
        })
    }

    /// Finishes the processing of reports. Another entry may be where something happened, so the nodes are rearmed before it
    /// is reported; once for each directory, however many reports there were.
    pub(super) fn finish(&mut self, batch: &mut ChangeBatch) {
        let replaced = std::mem::take(&mut self.replaced);
        for id in
            replaced.iter().filter(|id| !self.is_below(**id, &replaced)).copied().collect::<BTreeSet<Id>>()
        {
            let found = self.refresh(id);
            if !batch.is_lost() {
                batch.path_changed(self.concerned_tokens(id, &found), || self.tree.path(id));
            }
        }
        self.catch_up_below();
        self.report_failures(batch);
        self.prune();
    }

    /// Whether it is below one of these.
    fn is_below(&self, mut id: Id, places: &HashSet<Id>) -> bool {
        while id != TOP {
            id = self.tree.parent(id);
            if places.contains(&id) {
                return true;
            }
        }
        false
    }

    /// Processes the end of a watch, because the directory was removed or unmounted.
    fn watch_ended(&mut self, watch: i32) {
        self.open_writes.forget(watch);
        let Some(ids) = self.watched.remove(&watch) else { return };
        for id in ids.iter() {
            self.tree.details_mut(id).watch = None;
            self.replaced.insert(id);
        }
    }

    /// Delivers an event in the directory `id`, or of `id` itself if there is no name.
    fn deliver_to_node(&mut self, id: Id, report: &Report<'_>, batch: &mut ChangeBatch) {
        if report.name.is_empty() {
            return batch.path_changed(self.tokens_through(id), || self.tree.path(id));
        }
        let is_name = report.what.intersects(NAMES);
        if self.is_own_temporary(id, report, is_name) {
            return;
        }
        self.report_to_directories(id, report, is_name, batch);
        let is_new_directory = report.what.contains(ReadFlags::ISDIR) && report.what.intersects(APPEARED);
        if is_new_directory && self.tree.is_in_tree(id) {
            let (child, _) = self.tree.child_or_new(id, report.name);
            self.tree.set_in_tree(child);
        }
        match self.tree.child(id, report.name) {
            Some(child) if is_name => {
                self.replaced.insert(child);
            }
            Some(child) => batch.path_changed(self.tokens_of(child), || self.tree.path(child)),
            None => {}
        }
    }

    /// Whether this is about a temporary file of Uphold, with or without a name, before it is put in place. False for a file
    /// that is watched by this name.
    fn is_own_temporary(&self, id: Id, report: &Report<'_>, is_name: bool) -> bool {
        let nameless = temporary::is_nameless(report.name) && !is_name;
        if !nameless && !temporary::is_temporary(report.name) || self.tree.child(id, report.name).is_some() {
            return false;
        }
        // A file may really have such a name: then it exists.
        path_probe::open(&self.root, &self.tree.path(id)).is_ok_and(|directory| {
            if nameless {
                path_probe::is_missing(&directory, report.name)
            } else {
                temporary::is_own_temporary(&directory, report.name)
            }
        })
    }

    /// Reports to tokens that watch the names in this directory, and the trees that it is in.
    fn report_to_directories(&self, id: Id, report: &Report<'_>, is_name: bool, batch: &mut ChangeBatch) {
        let mut tokens = self.tree_tokens(id);
        if let Some(details) = self.tree.details(id).filter(|_| is_name) {
            tokens.extend(details.entries.iter());
        }
        batch.path_changed(tokens, || self.tree.path_of(id, report.name));
    }

    /// The tokens that watch everything in this directory.
    fn tree_tokens(&self, id: Id) -> Vec<Token> {
        let (mut tokens, mut here) = (Vec::new(), Some(id));
        while let Some((id, details)) = here.and_then(|id| Some((id, self.tree.details(id)?))) {
            tokens.extend(details.trees.iter());
            here = details.in_tree.then(|| self.tree.parent(id));
        }
        tokens
    }

    /// The tokens that watch content and attributes of this node, also through links.
    fn tokens_of(&self, id: Id) -> Vec<Token> {
        let itself = self.tree.at(id).tokens();
        itself.chain(self.tokens_by_links(id)).collect()
    }

    /// The tokens of the entry that is watched, which is the target if the node is a link.
    fn tokens_through(&self, id: Id) -> Vec<Token> {
        if !self.tree.is_link(id) {
            return self.tokens_of(id);
        }
        let behind = self.tree.at(id).tokens_behind();
        behind.chain(self.tokens_by_links(id)).collect()
    }

    fn tokens_by_links(&self, id: Id) -> Vec<Token> {
        let (mut tokens, mut found) = (Vec::new(), self.tree.followers(id).collect::<Vec<Id>>());
        let mut seen: HashSet<Id> = found.iter().copied().collect();
        while let Some(link) = found.pop() {
            tokens.extend(self.tree.at(link).tokens_behind());
            found.extend(self.tree.followers(link).filter(|next| seen.insert(*next)));
        }
        tokens
    }

    /// Reports nodes that cannot be watched any more.
    fn report_failures(&mut self, batch: &mut ChangeBatch) {
        for (id, errno) in std::mem::take(&mut self.failures) {
            let error = unwatchable(&self.tree.path(id), errno);
            let because = match error.advice() {
                Some(advice) => format!("{error}: {advice}"),
                None => error.chain(),
            };
            for token in self.concerned_tokens(id, &self.below_and_links(id)) {
                batch.blind(token, &because);
            }
        }
    }

    /// Everything children `id`, and the links that lead there.
    fn below_and_links(&self, id: Id) -> Vec<Id> {
        let (mut found, mut stack) = (vec![id], vec![id]);
        let mut seen = HashSet::from([id]);
        while let Some(id) = stack.pop() {
            let next = self.tree.children(id).chain(self.tree.followers(id));
            let new: Vec<Id> = next.filter(|next| seen.insert(*next)).collect();
            found.extend(&new);
            stack.extend(new);
        }
        found
    }

    /// The tokens that are concerned if another entry is at `first`. `around` is everything below it, and the links that lead
    /// there.
    fn concerned_tokens(&self, first: Id, around: &[Id]) -> Vec<Token> {
        let all: HashSet<Id> = around.iter().copied().collect();
        let is_itself = |id: Id| id == first || all.contains(&self.tree.parent(id));
        let mut tokens = Vec::new();
        for id in around.iter().copied() {
            let point = self.tree.at(id);
            if is_itself(id) {
                tokens.extend(point.tokens());
            } else {
                tokens.extend(point.tokens_behind());
            }
        }
        tokens
    }
}
