//! The entries of all actions, indexed by resource, with up-to-date counts.

use std::collections::BTreeSet;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use uphold_model::{Action, ResourceId};
use uphold_wire::status::{ResourceStatus, State, Totals};

use crate::entry::{Entry, NONE, Stamp};

/// The declared actions in source order, then notified ones.
///
/// Entries are changed only by [`ResourceIndex::edit`], which updates the counts in logarithmic time.
#[derive(Debug, Default)]
pub(crate) struct ResourceIndex {
    entries: Vec<Entry>,
    /// The first entry of each resource; `sibling` links the others.
    first: HashTable<u32>,
    counts: Totals,
    troubles: BTreeSet<u32>,
    busy: BTreeSet<u32>,
}

impl ResourceIndex {
    /// The entry of this action, which is added if missing.
    pub(crate) fn at(&mut self, resource: &ResourceId, action: &Action, now: Stamp) -> u32 {
        let known = self.of(resource).find(|at| self.entries[*at as usize].action() == action);
        known.unwrap_or_else(|| self.add(Entry::new(resource.clone(), action.clone(), now)))
    }

    /// The entry that an event about a resource belongs to: the one being visited, else the first.
    pub(crate) fn current(&mut self, resource: &ResourceId, now: Stamp) -> u32 {
        let busy = self.of(resource).find(|at| self.entries[*at as usize].busy.is_some());
        let known = busy.or_else(|| self.of(resource).next());
        known.unwrap_or_else(|| self.add(Entry::new(resource.clone(), Action::Converge, now)))
    }

    fn of(&self, resource: &ResourceId) -> impl Iterator<Item = u32> {
        let some = |at: u32| (at != NONE).then_some(at);
        let is_it = |at: &u32| self.entries[*at as usize].resource == *resource;
        let first = self.first.find(hash(resource), is_it).copied();
        std::iter::successors(first, move |at| some(self.entries[*at as usize].sibling))
    }

    fn add(&mut self, mut entry: Entry) -> u32 {
        let at = u32::try_from(self.entries.len()).expect("fewer than 2^32 actions");
        let last = self.of(&entry.resource).last();
        match last {
            Some(last) => self.entries[last as usize].sibling = at,
            None => {
                let hash_of = |at: &u32| hash(&self.entries[*at as usize].resource);
                self.first.insert_unique(hash(&entry.resource), at, hash_of);
            }
        }
        entry.sibling = NONE;
        self.entries.push(entry);
        self.count(at, true);
        at
    }

    pub(crate) fn entry(&self, at: u32) -> &Entry {
        &self.entries[at as usize]
    }

    /// Changes an entry, and updates the counts.
    pub(crate) fn edit<T>(&mut self, at: u32, change: impl FnOnce(&mut Entry) -> T) -> T {
        self.count(at, false);
        let answer = change(&mut self.entries[at as usize]);
        self.count(at, true);
        answer
    }

    /// A resource can be watched again, with all its actions.
    pub(crate) fn stop_polling(&mut self, resource: &ResourceId) {
        for at in self.of(resource).collect::<Vec<u32>>() {
            self.edit(at, |entry| {
                if let Some(more) = entry.if_more() {
                    more.blind = None;
                }
            });
        }
    }

    /// Adds an entry to the counts, or removes it.
    fn count(&mut self, at: u32, is_in: bool) {
        let entry = &self.entries[at as usize];
        let state = of_state(&mut self.counts, entry.state());
        shift(state, is_in);
        shift(&mut self.counts.all, is_in);
        if entry.is_pending() {
            shift(&mut self.counts.pending, is_in);
        }
        if entry.is_blind() {
            shift(&mut self.counts.polled, is_in);
        }
        if entry.busy.is_some() {
            shift(&mut self.counts.busy, is_in);
            toggle(&mut self.busy, at, is_in);
        }
        if entry.is_trouble() {
            toggle(&mut self.troubles, at, is_in);
        }
    }

    /// Replaces the actions. Entries of actions that stay are kept, and so are those of notified actions whose resource
    /// is still `declared`. Linear in the number of actions.
    pub(crate) fn replace(
        &mut self,
        actions: impl Iterator<Item = (ResourceId, Action)> + Clone,
        declared: impl Fn(&ResourceId) -> bool,
        now: Stamp,
    ) {
        // Values that change over time cause a reload every few seconds, mostly with the same actions.
        let (written, notified) = self.entries.split_at(self.entries.partition_point(|entry| entry.written));
        let key = |entry: &Entry| (entry.resource.clone(), entry.action().clone());
        if notified.iter().all(|entry| declared(&entry.resource))
            && actions.clone().eq(written.iter().map(key))
        {
            return;
        }
        let before = std::mem::take(self).entries;
        let key = |entry: Entry| ((entry.resource.clone(), entry.action().clone()), entry);
        let mut known: FxHashMap<(ResourceId, Action), Entry> = before.into_iter().map(key).collect();
        // Doubling the capacity would dominate the memory of an action.
        self.entries.reserve_exact(actions.size_hint().0);
        for action in actions {
            let entry = known.remove(&action);
            let at = match entry {
                Some(entry) => self.add(entry),
                None => self.at(&action.0, &action.1, now),
            };
            self.entries[at as usize].written = true;
        }
        let stays = |entry: &Entry| !entry.written && declared(&entry.resource);
        let mut notified: Vec<Entry> = known.into_values().filter(stays).collect();
        notified.sort_by(|one, other| {
            (&one.resource, one.action().word()).cmp(&(&other.resource, other.action().word()))
        });
        for entry in notified {
            self.add(entry);
        }
    }

    /// The counts by state; the counters of events are zero.
    pub(crate) fn counts(&self) -> Totals {
        self.counts
    }

    /// At most `limit` problems, in order, and the number of those left out.
    pub(crate) fn troubles(&self, limit: usize) -> (Vec<ResourceStatus>, usize) {
        let shown = self.troubles.iter().take(limit).map(|at| self.entry(*at).status());
        (shown.collect(), self.troubles.len().saturating_sub(limit))
    }

    pub(crate) fn busy(&self) -> Vec<ResourceStatus> {
        self.busy.iter().map(|at| self.entry(*at).status()).collect()
    }

    pub(crate) fn details(&self, resource: &ResourceId) -> Vec<ResourceStatus> {
        self.of(resource).map(|at| self.entry(at).status()).collect()
    }

    pub(crate) fn all(&self) -> &[Entry] {
        &self.entries
    }
}

fn hash(resource: &ResourceId) -> u64 {
    FxBuildHasher.hash_one(resource)
}

fn shift(count: &mut usize, is_in: bool) {
    *count = if is_in { *count + 1 } else { *count - 1 };
}

fn toggle(set: &mut BTreeSet<u32>, at: u32, is_in: bool) {
    _ = if is_in { set.insert(at) } else { set.remove(&at) };
}

fn of_state<'a>(counts: &'a mut Totals, state: &State) -> &'a mut usize {
    match state {
        State::Waiting => &mut counts.not_visited,
        State::Held => &mut counts.ok,
        State::Failed(_) => &mut counts.failed,
        State::Ignored(_) => &mut counts.ignored,
        State::Blocked(_) => &mut counts.blocked,
        State::Differs { .. } => &mut counts.differs,
        State::Paused { .. } => &mut counts.paused,
        State::LeftAlone(_) => &mut counts.skipped,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> ResourceId {
        ResourceId::new("file", name)
    }

    fn replace(index: &mut ResourceIndex, names: &[&str]) {
        let actions = names.iter().map(|name| (id(name), Action::Converge));
        index.replace(actions, |resource| names.contains(&&*resource.name), Stamp::default());
    }

    fn names(index: &ResourceIndex) -> Vec<String> {
        index.all().iter().map(|entry| format!("{} {}", entry.resource.name, entry.action())).collect()
    }

    #[test]
    fn entries_of_declared_resources_are_kept() {
        let mut index = ResourceIndex::default();
        replace(&mut index, &["a", "b", "b"]);
        assert_eq!(names(&index), ["a converge", "b converge"], "a repeated action is one");
        let restart = Action::Verb("restart".into());
        let (a, b) =
            (index.at(&id("a"), &restart, Stamp::default()), index.at(&id("b"), &restart, Stamp::default()));
        index.edit(a, |entry| entry.visits = 7);
        index.edit(b, |entry| entry.busy = Some(Stamp::default()));
        assert_eq!((index.counts().all, index.counts().busy), (4, 1));
        replace(&mut index, &["c", "a"]);
        assert_eq!(names(&index), ["c converge", "a converge", "a restart"]);
        assert_eq!(index.details(&id("a"))[1].visits, 7);
        assert_eq!((index.counts().all, index.counts().busy, index.busy().len()), (3, 0, 0));
        assert!(index.details(&id("b")).is_empty());
        replace(&mut index, &["c", "a"]);
        assert_eq!((names(&index).len(), index.details(&id("a"))[1].visits), (3, 7), "the same once more");
    }

    #[test]
    fn an_event_belongs_to_the_busy_action() {
        let mut index = ResourceIndex::default();
        let now = Stamp::default();
        let first = index.at(&id("a"), &Action::Remove, now);
        let second = index.at(&id("a"), &Action::Converge, now);
        assert_eq!(index.current(&id("a"), now), first);
        index.edit(second, |entry| entry.busy = Some(now));
        assert_eq!(index.current(&id("a"), now), second);
    }
}
