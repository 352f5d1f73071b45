//! Facts from the recorded runs about resources by kind and identity.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_journal::{Action, ActionBegin, After, Previous, Run, Runs, Side};

use super::super::previous::SECRET;
use super::super::words::PUT_BACK;
use super::target::Match;

/// Kind and identity of a resource, or of the file that it edits.
pub(super) type TargetKey = (String, String);

/// The property of a file that an edit changes.
pub(super) const CONTENT: &str = "content";

/// The resource of an action, and the file that it edits.
pub(super) fn targets(begin: &ActionBegin) -> (TargetKey, Option<TargetKey>) {
    let file = begin.recovery.as_ref().and_then(|recovery| recovery.file.as_ref());
    let file = file.map(|file| (file.kind.clone(), file.path.clone()));
    ((begin.key.kind.clone(), begin.key.identity.clone()), file)
}

/// The changes of the runs after a given one.
#[derive(Default)]
pub(super) struct LaterChanges(FxHashMap<TargetKey, LaterChange>);

/// All later changes of one resource.
struct LaterChange {
    /// The newest run.
    run: u64,
    /// The state that the runs left, as far as they changed it. None if a change failed or was interrupted.
    after: Option<After>,
}

impl LaterChanges {
    /// Adds a run. Newer runs come first.
    pub(super) fn add(&mut self, run: &Run) {
        for action in run.actions.iter().rev().filter(|action| is_change(action)) {
            let after = action.end.as_ref().and_then(|end| end.after.as_ref());
            let (own, file) = targets(&action.begin);
            self.add_change(own, run.begin.run, after.cloned());
            if let Some(file) = file {
                self.add_change(file, run.begin.run, after.and_then(file_after));
            }
        }
    }

    fn add_change(&mut self, target: TargetKey, run: u64, after: Option<After>) {
        match self.0.entry(target) {
            Entry::Vacant(entry) => _ = entry.insert(LaterChange { run, after }),
            Entry::Occupied(mut entry) => {
                let newer = entry.get_mut();
                newer.after = newer.after.take().zip(after).map(|(newer, older)| joined(newer, &older));
            }
        }
    }

    pub(super) fn contains(&self, target: &TargetKey) -> bool {
        self.0.contains_key(target)
    }

    /// Why a resource is not as an action left it. `is_as` compares it with a state.
    pub(super) fn reason(
        &self,
        target: &TargetKey,
        left: Option<&After>,
        is_as: impl Fn(&After) -> Match,
    ) -> String {
        let Some(LaterChange { run, after }) = self.0.get(target) else {
            return "changed since outside Uphold".to_owned();
        };
        let expected = after.as_ref().map(|after| match left {
            Some(left) => joined(after.clone(), left),
            None => after.clone(),
        });
        match expected.as_ref().map(is_as) {
            Some(Match::Same) => format!("changed since by run {run}"),
            Some(Match::Differs) => format!("changed since by run {run}, and then outside Uphold"),
            Some(Match::Unknown(_)) | None => format!("changed since by run {run} or outside Uphold"),
        }
    }
}

/// The state after two changes.
fn joined(newer: After, older: &After) -> After {
    if !newer.exists || !older.exists {
        return newer;
    }
    let values = older.values.clone().into_iter().chain(newer.values).collect();
    After { values, ..newer }
}

/// The state of the file that an action edited.
pub(super) fn file_after(after: &After) -> Option<After> {
    let values = match after.file.as_ref()? {
        Side::Absent => return Some(After::default()),
        side => BTreeMap::from([(CONTENT.to_owned(), side.clone())]),
    };
    Some(After { exists: true, values, file: None })
}

/// The same in one list.
pub(super) fn every_target(begin: &ActionBegin) -> impl Iterator<Item = TargetKey> + use<> {
    let (own, file) = targets(begin);
    std::iter::once(own).chain(file)
}

/// Whether an action may have changed something: it succeeded, failed, or was interrupted.
pub(super) fn is_change(action: &Action) -> bool {
    action.end.as_ref().is_none_or(|end| !matches!(&*end.verdict, "unchanged" | PUT_BACK))
}

/// Kind and identity of the resources that held a secret.
pub(in crate::journal) fn secret_identities(runs: &Runs) -> FxHashSet<TargetKey> {
    let mut found = FxHashSet::default();
    let Ok(runs) = runs.newest_first() else { return found };
    for run in runs.filter_map(Result::ok) {
        let secret = run.actions.iter().filter(|action| is_secret(action));
        found.extend(secret.flat_map(|action| every_target(&action.begin)));
    }
    found
}

fn is_secret(action: &Action) -> bool {
    let is_hidden = |side: &Side| matches!(side, Side::Secret(_));
    let ActionBegin { differences, previous, .. } = &action.begin;
    let after = action.end.as_ref().and_then(|end| end.after.as_ref());
    differences.iter().any(|difference| is_hidden(&difference.to) || is_hidden(&difference.from))
        || matches!(previous, Previous::NotKept(reason) if reason == SECRET)
        || after.is_some_and(|after| after.values.values().chain(&after.file).any(is_hidden))
}
