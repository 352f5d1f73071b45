//! The changes of runs that were undone already.

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_journal::{Action, ActionBegin, Run};

use super::changed_since::{TargetKey, every_target, targets};

/// The resources that undos have brought back, by the number of the run that they undid.
#[derive(Debug, Default)]
pub struct UndoneChanges(FxHashMap<u64, FxHashSet<TargetKey>>);

impl UndoneChanges {
    /// Adds a run, if it is an undo. Newer runs come first: a change of an undo that was undone itself does not count.
    pub fn add(&mut self, run: &Run) {
        let Some(undone) = run.begin.undoes else { return };
        let changes = run.actions.iter().filter(|action| is_finished(action));
        let effective = changes.filter(|action| !self.contains(run.begin.run, &action.begin));
        let brought_back: Vec<TargetKey> = effective.map(|action| targets(&action.begin).0).collect();
        self.0.entry(undone).or_default().extend(brought_back);
    }

    /// Whether anything of this run was undone.
    pub fn has_any(&self, run: u64) -> bool {
        self.0.get(&run).is_some_and(|undone| !undone.is_empty())
    }

    /// Whether this action of a run was undone: its resource was brought back, or the file that it edits.
    pub fn contains(&self, run: u64, action: &ActionBegin) -> bool {
        self.0.get(&run).is_some_and(|undone| every_target(action).any(|target| undone.contains(&target)))
    }
}

/// Whether an action made its change completely.
fn is_finished(action: &Action) -> bool {
    action.end.as_ref().is_some_and(|end| end.verdict == "changed")
}
