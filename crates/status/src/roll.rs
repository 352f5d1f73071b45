//! All entries, found by resource, with counts that are always right.

use std::collections::BTreeSet;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use uphold_model::{Action, ResourceId};
use uphold_wire::status::{ResourceStatus, State, Totals};

use crate::entry::{Entry, NONE};
use crate::stamp::Stamp;

/// Every action of the program that is held, in written order, and those that were only asked for.
///
/// An entry is changed through [`Roll::edit`] alone, which keeps the counts; that costs the logarithm of how many
/// are busy or in trouble.
#[derive(Debug, Default)]
pub(crate) struct Roll {
    entries: Vec<Entry>,
    /// The first entry of each resource; the others hang on it.
    first: HashTable<u32>,
    counts: Totals,
    troubles: BTreeSet<u32>,
    busy: BTreeSet<u32>,
}

impl Roll {
    /// The entry of this action, which is made if there is none.
    pub(crate) fn at(&mut self, resource: &ResourceId, action: &Action, now: Stamp) -> u32 {
        let known = self.of(resource).find(|at| self.entries[*at as usize].action() == action);
        known.unwrap_or_else(|| self.add(Entry::new(resource.clone(), action.clone(), now)))
    }

    /// The entry that news of a resource is about: the one that is visited, else the first.
    pub(crate) fn current(&mut self, resource: &ResourceId, now: Stamp) -> u32 {
        let busy = self.of(resource).find(|at| self.entries[*at as usize].busy.is_some());
        let known = busy.or_else(|| self.of(resource).next());
        known.unwrap_or_else(|| self.add(Entry::new(resource.clone(), Action::Converge, now)))
    }

    /// The entries of a resource.
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

    /// What is known of an entry.
    pub(crate) fn entry(&self, at: u32) -> &Entry {
        &self.entries[at as usize]
    }

    /// Changes an entry.
    pub(crate) fn edit<T>(&mut self, at: u32, change: impl FnOnce(&mut Entry) -> T) -> T {
        self.count(at, false);
        let answer = change(&mut self.entries[at as usize]);
        self.count(at, true);
        answer
    }

    /// A resource can be watched again, whichever of its actions was told to be blind.
    pub(crate) fn sight(&mut self, resource: &ResourceId) {
        for at in self.of(resource).collect::<Vec<u32>>() {
            self.edit(at, |entry| entry.known().into_iter().for_each(|more| more.blind = None));
        }
    }

    /// Takes an entry into the counts, or out of them.
    fn count(&mut self, at: u32, is_in: bool) {
        let entry = &self.entries[at as usize];
        let state = of_state(&mut self.counts, entry.state());
        shift(state, is_in);
        shift(&mut self.counts.all, is_in);
        if entry.is_pending() {
            shift(&mut self.counts.pending, is_in);
        }
        if entry.is_blind() {
            shift(&mut self.counts.blind, is_in);
        }
        if entry.busy.is_some() {
            shift(&mut self.counts.busy, is_in);
            note(&mut self.busy, at, is_in);
        }
        if entry.is_trouble() {
            note(&mut self.troubles, at, is_in);
        }
    }

    /// Takes on exactly these actions, in this order. What is known of them stays; so does what is known of an
    /// action that was only asked for, if its resource is still `declared`. Costs as much as there are actions.
    pub(crate) fn hold(
        &mut self,
        actions: impl Iterator<Item = (ResourceId, Action)> + Clone,
        declared: impl Fn(&ResourceId) -> bool,
        now: Stamp,
    ) {
        // Values that change over time make another program every few seconds, mostly with the same actions.
        let (written, asked) = self.entries.split_at(self.entries.partition_point(|entry| entry.written));
        let key = |entry: &Entry| (entry.resource.clone(), entry.action().clone());
        if asked.iter().all(|entry| declared(&entry.resource)) && actions.clone().eq(written.iter().map(key))
        {
            return;
        }
        let before = std::mem::take(self).entries;
        let key = |entry: Entry| ((entry.resource.clone(), entry.action().clone()), entry);
        let mut known: FxHashMap<(ResourceId, Action), Entry> = before.into_iter().map(key).collect();
        // Twice as much room each time would be the largest part of what an action costs.
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
        let mut asked: Vec<Entry> = known.into_values().filter(stays).collect();
        asked.sort_by(|one, other| {
            (&one.resource, one.action().word()).cmp(&(&other.resource, other.action().word()))
        });
        for entry in asked {
            self.add(entry);
        }
    }

    /// How many are in which state. What is not counted here is zero.
    pub(crate) fn counts(&self) -> Totals {
        self.counts
    }

    /// What is not as it should be, in order: so many at most, and how many are left out.
    pub(crate) fn troubles(&self, limit: usize) -> (Vec<ResourceStatus>, usize) {
        let shown = self.troubles.iter().take(limit).map(|at| self.entry(*at).status());
        (shown.collect(), self.troubles.len().saturating_sub(limit))
    }

    /// What is visited right now.
    pub(crate) fn busy(&self) -> Vec<ResourceStatus> {
        self.busy.iter().map(|at| self.entry(*at).status()).collect()
    }

    /// The actions of a resource.
    pub(crate) fn details(&self, resource: &ResourceId) -> Vec<ResourceStatus> {
        self.of(resource).map(|at| self.entry(at).status()).collect()
    }

    /// Every entry, in order.
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

fn note(set: &mut BTreeSet<u32>, at: u32, is_in: bool) {
    match is_in {
        true => set.insert(at),
        false => set.remove(&at),
    };
}

fn of_state<'a>(counts: &'a mut Totals, state: &State) -> &'a mut usize {
    match state {
        State::Waiting => &mut counts.waiting,
        State::Held => &mut counts.held,
        State::Failed(_) => &mut counts.failed,
        State::Ignored(_) => &mut counts.ignored,
        State::Blocked(_) => &mut counts.blocked,
        State::Differs { .. } => &mut counts.differ,
        State::LeftAlone(_) => &mut counts.left_alone,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> ResourceId {
        ResourceId::new("file", name)
    }

    fn hold(roll: &mut Roll, names: &[&str]) {
        let actions = names.iter().map(|name| (id(name), Action::Converge));
        roll.hold(actions, |resource| names.contains(&&*resource.name), Stamp::default());
    }

    fn names(roll: &Roll) -> Vec<String> {
        roll.all().iter().map(|entry| format!("{} {}", entry.resource.name, entry.action())).collect()
    }

    #[test]
    fn what_stays_is_still_known_and_what_left_is_not() {
        let mut roll = Roll::default();
        hold(&mut roll, &["a", "b", "b"]);
        assert_eq!(names(&roll), ["a converge", "b converge"], "a repeated action is one");
        let restart = Action::Verb("restart".into());
        let (a, b) =
            (roll.at(&id("a"), &restart, Stamp::default()), roll.at(&id("b"), &restart, Stamp::default()));
        roll.edit(a, |entry| entry.visits = 7);
        roll.edit(b, |entry| entry.busy = Some(Stamp::default()));
        assert_eq!((roll.counts().all, roll.counts().busy), (4, 1));
        hold(&mut roll, &["c", "a"]);
        assert_eq!(names(&roll), ["c converge", "a converge", "a restart"]);
        assert_eq!(roll.details(&id("a"))[1].visits, 7);
        assert_eq!((roll.counts().all, roll.counts().busy, roll.busy().len()), (3, 0, 0));
        assert!(roll.details(&id("b")).is_empty());
        hold(&mut roll, &["c", "a"]);
        assert_eq!((names(&roll).len(), roll.details(&id("a"))[1].visits), (3, 7), "the same once more");
    }

    #[test]
    fn news_of_a_resource_is_about_the_action_that_is_done() {
        let mut roll = Roll::default();
        let now = Stamp::default();
        let first = roll.at(&id("a"), &Action::Remove, now);
        let second = roll.at(&id("a"), &Action::Converge, now);
        assert_eq!(roll.current(&id("a"), now), first);
        roll.edit(second, |entry| entry.busy = Some(now));
        assert_eq!(roll.current(&id("a"), now), second);
    }
}
