//! Facts from the recorded runs about resources by kind and identity.

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_journal::{Action, ActionBegin, Previous, Run, Runs, Side};

use super::super::previous::SECRET;

/// Kind and identity of a resource, or of the file that it edits.
pub(super) type TargetKey = (String, String);

/// The resource of an action, and the file that it edits.
pub(super) fn targets(begin: &ActionBegin) -> impl Iterator<Item = TargetKey> + use<> {
    let own = (begin.key.kind.clone(), begin.key.identity.clone());
    let file = begin.recovery.as_ref().and_then(|recovery| recovery.file.as_ref());
    let file = file.map(|file| (file.kind.clone(), file.path.clone()));
    std::iter::once(own).chain(file)
}

/// The newest run that changed a resource, of the runs after a given one.
#[derive(Default)]
pub(super) struct LaterChanges(FxHashMap<TargetKey, u64>);

impl LaterChanges {
    /// Adds a run. Newer runs come first.
    pub(super) fn add(&mut self, run: &Run) {
        for action in run.actions.iter().filter(|action| is_change(action)) {
            for target in targets(&action.begin) {
                self.0.entry(target).or_insert(run.begin.run);
            }
        }
    }

    pub(super) fn contains(&self, target: &TargetKey) -> bool {
        self.0.contains_key(target)
    }

    /// Why a resource is not as an action left it.
    pub(super) fn reason(&self, target: &TargetKey) -> String {
        match self.0.get(target) {
            Some(run) => format!("changed since by run {run}"),
            None => "changed since".to_owned(),
        }
    }
}

/// Whether an action may have changed something: it succeeded, failed, or was interrupted.
pub(super) fn is_change(action: &Action) -> bool {
    action.end.as_ref().is_none_or(|end| end.verdict != "unchanged")
}

/// Kind and identity of the resources that held a secret.
pub(in crate::journal) fn secret_identities(runs: &Runs) -> FxHashSet<TargetKey> {
    let mut found = FxHashSet::default();
    let Ok(runs) = runs.newest_first() else { return found };
    for run in runs.filter_map(Result::ok) {
        let secret = run.actions.iter().filter(|action| is_secret(action));
        found.extend(secret.flat_map(|action| targets(&action.begin)));
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
