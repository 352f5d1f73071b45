//! Pending verifications of groups that were renamed or removed meanwhile.

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_engine::Program;
use uphold_journal::{DueNotification, NewNotification, Pending, ResourceKey};
use uphold_model::ResourceId;

/// The moment of a verification, as it is stored.
pub(super) const VERIFICATION: &str = "verification";

/// A pending verification whose group is not declared any more.
pub(super) struct MovedVerification {
    pub(super) due: DueNotification,
    /// The verifications by the groups that contain the changed resources now.
    pub(super) by: Vec<NewNotification>,
}

/// The pending verifications whose groups are not declared any more. Most runs have none, and then nothing is read.
pub(super) fn moved_verifications(
    due: impl Iterator<Item = DueNotification>,
    program: &Program,
) -> Vec<MovedVerification> {
    let mut due: Vec<DueNotification> = due.filter(|due| due.moment == VERIFICATION).collect();
    if due.is_empty() {
        return Vec::new();
    }
    let verifiers: FxHashSet<String> = program.verifiers().map(|(id, _)| id.to_string()).collect();
    due.retain(|due| !verifiers.contains(&due.address));
    let declared = program.declared_ids().map(|id| (id.to_string(), id));
    let declared: FxHashMap<String, &ResourceId> =
        if due.is_empty() { FxHashMap::default() } else { declared.collect() };
    due.into_iter().map(|due| MovedVerification { by: successors(&due, program, &declared), due }).collect()
}

fn successors(
    due: &DueNotification,
    program: &Program,
    declared: &FxHashMap<String, &ResourceId>,
) -> Vec<NewNotification> {
    let known = due.notifiers.iter().filter_map(|notifier| {
        let verifier = program.innermost_verifier(declared.get(notifier)?)?;
        Some((verifier, notifier))
    });
    // Resources that are not known by name may be in any group.
    let unknown = due.notifiers.first().filter(|_| due.more > 0);
    let unknown =
        unknown.into_iter().flat_map(|one| program.verifiers().map(move |verifier| (verifier, one)));
    let by = known.chain(unknown).map(|((id, action), notifier)| NewNotification {
        target: ResourceKey::new(&*due.target.configuration, id.kind.to_string(), id.to_string()),
        address: id.to_string(),
        verb: action.word().to_owned(),
        moment: VERIFICATION.to_owned(),
        notifier: notifier.clone(),
        run: due.run,
        time: due.time,
        parent: None,
    });
    by.collect()
}

/// Replaces the notifications in the journal. Returns those that have no successor.
pub(super) fn move_all(
    moved: Vec<MovedVerification>,
    pending: &Pending,
    run: Option<u64>,
) -> Vec<DueNotification> {
    let mut lost = Vec::new();
    for MovedVerification { due, by } in moved {
        let is_lost = by.is_empty();
        for new in by {
            let ticket = pending.notify(new);
            // A failure is reported at the end of the run, which goes on.
            _ = pending.wait(&ticket);
            pending.settle(ticket);
        }
        pending.delivered(pending.take_up(&due.target, &due.verb), run);
        lost.extend(is_lost.then_some(due));
    }
    lost
}
