//! Changes of runs that were killed before they could record what they applied.

use rustc_hash::FxHashMap;
use uphold_journal::{Action, Records, ResourceKey, Run, RunState};

/// The first change of a resource that no record mentions yet.
#[derive(Clone, Copy)]
pub(super) struct UnrecordedChange {
    /// Whether it created the resource.
    pub(super) is_created: bool,
    /// The run, and the number of the action in it.
    pub(super) first: (u64, u64),
}

/// The changes of a configuration by the newest runs, as far as these did not end. Reads one run if the last one has ended.
pub(super) fn unfinished_changes(
    records: &Records,
    configuration: &str,
) -> FxHashMap<ResourceKey, UnrecordedChange> {
    let mut found = FxHashMap::default();
    let runs = records.runs().newest_first().into_iter().flatten().filter_map(Result::ok);
    // The run that asks is running.
    let earlier = runs.filter(|run| run.state != RunState::Running);
    for Run { begin, actions, .. } in earlier.take_while(|run| run.state == RunState::Interrupted) {
        let own = actions.iter().filter(|action| action.begin.key.configuration == configuration);
        // An older change replaces a newer one.
        for Action { begin: action, .. } in own.filter(|action| is_change(action)).rev() {
            let change =
                UnrecordedChange { is_created: action.action == "create", first: (begin.run, action.n) };
            found.insert(action.key.clone(), change);
        }
    }
    found
}

/// Whether an action has changed a state, or may have.
fn is_change(action: &Action) -> bool {
    let is_state = matches!(&*action.begin.action, "create" | "update");
    is_state && action.end.as_ref().is_none_or(|end| end.verdict == "changed")
}
