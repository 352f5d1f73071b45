//! Undoing recorded actions: statements that bring the states before them back.

mod changed_since;
mod step;
mod target;

use std::collections::BTreeSet;

use changed_since::{LaterChanges, TargetKey, every_target, is_change, targets};
use rustc_hash::{FxHashMap, FxHashSet};
use step::{Way, ways};
use target::{Match, Target};
use uphold_journal::{
    Action, ActionBegin, After, Applied, AppliedResource, Records, Result, Run, SecretKey, Time,
};
use uphold_model::Statement;
use uphold_resource::{Inverse, Machine, Reading, Registry};

use super::removal::Redeclared;

pub(super) use changed_since::secret_identities;

// The statements that undo recorded actions.

/// The actions to undo.
pub struct UndoRequest<'a> {
    /// The runs, newest first.
    pub runs: &'a [Run],
    /// The runs after them, newest first. They are only named as the cause of a refusal.
    pub later: &'a [Run],
    /// Selects the actions.
    pub selects: &'a dyn Fn(&ActionBegin) -> bool,
    /// Whether changes between the recorded actions are undone as well. Changes after the newest one never are.
    pub skips_changes_between: bool,
    /// Whether an edit of a part of a file brings only its value back, and never the whole file with the edits of others.
    pub only_values: bool,
}

/// Statements that bring the states before recorded actions back, newest action first.
#[derive(Debug, Default)]
pub struct Undo {
    /// The statements.
    pub statements: Vec<Statement>,
    /// The number of resources that they declare.
    pub resources: usize,
    /// The actions that are not undone.
    pub left: Vec<NotUndone>,
    /// The resources whose last applied values change with the undo.
    pub(in crate::journal) records: Vec<UndoneRecord>,
}

/// An action that is not undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotUndone {
    /// The address of its resource.
    pub address: String,
    /// Why: a fragment that reads on after the address and a colon.
    pub reason: String,
    /// Whether a state was left. The effects of a command or a verb are no state.
    pub is_state: bool,
}

impl Undo {
    /// Compares the machine with the recorded states, and declares the states before. Changes nothing.
    pub fn new(request: &UndoRequest<'_>, records: &Records, kinds: &Registry, host: &Reading<'_>) -> Self {
        let mut later = LaterChanges::default();
        request.later.iter().for_each(|run| later.add(run));
        let key = if records.has_secret_key() { records.secret_key().ok() } else { None };
        let (undo, blocked) = Default::default();
        let mut planner = Planner {
            request,
            records,
            kinds,
            host,
            later,
            key,
            targets: FxHashMap::default(),
            blocked,
            undo,
        };
        let newest_first = request.runs.iter().flat_map(|run| run.actions.iter().rev());
        let actions = newest_first.filter(|action| is_change(action) && (request.selects)(&action.begin));
        for (position, action) in actions.enumerate() {
            planner.take(action, position);
        }
        planner.finish()
    }
}

struct Planner<'a> {
    request: &'a UndoRequest<'a>,
    records: &'a Records,
    kinds: &'a Registry,
    host: &'a Reading<'a>,
    later: LaterChanges,
    key: Option<SecretKey>,
    targets: FxHashMap<TargetKey, Target<'a>>,
    /// Resources of which a newer action is not undone.
    blocked: FxHashSet<TargetKey>,
    undo: Undo,
}

impl<'a> Planner<'a> {
    fn take(&mut self, action: &Action, position: usize) {
        if let Err(reason) = self.try_each_way(action, position) {
            let is_state = matches!(&*action.begin.action, "create" | "update" | "remove");
            if is_state {
                self.blocked.extend(every_target(&action.begin));
            }
            let address = action.begin.address.clone();
            self.undo.left.push(NotUndone { address, reason, is_state });
        }
    }

    fn try_each_way(&mut self, action: &Action, position: usize) -> Result<(), String> {
        let mut refused = None;
        let objects = self.records.objects();
        for way in ways(action, self.kinds, &objects, self.request.only_values)? {
            match self.try_way(way, &action.begin, position) {
                Ok(()) => return Ok(()),
                Err(reason) => _ = refused.get_or_insert(reason),
            }
        }
        refused.map_or(Ok(()), Err)
    }

    fn try_way(&mut self, way: Way<'a>, begin: &ActionBegin, position: usize) -> Result<(), String> {
        if self.blocked.contains(&way.target) {
            return Err("a later change of it is not undone".to_owned());
        }
        let mut target = match self.targets.remove(&way.target) {
            Some(target) => target,
            None => Target::load(&way, position, self.host)?,
        };
        let is_between = self.request.skips_changes_between && !target.addresses.is_empty();
        let is_changed_later = self.later.contains(&way.target);
        let matched = match target.matches(&way, begin, self.key.as_ref(), is_changed_later) {
            Match::Differs if !is_between => Err(self.changed_since(&way, &target)),
            Match::Unknown(reason) if !is_between => Err(reason.to_owned()),
            _ => Ok(()),
        };
        let key = way.target.clone();
        if matched.is_ok() {
            target.take(way, begin, position);
            self.undo.records.push(UndoneRecord::of(begin));
        }
        if !target.addresses.is_empty() {
            self.targets.insert(key, target);
        }
        matched
    }

    /// Why a resource is not as the action left it.
    fn changed_since(&self, way: &Way<'a>, target: &Target<'a>) -> String {
        if !target.addresses.is_empty() {
            return "changed between two changes of the run".to_owned();
        }
        let is_as = |after: &After| target.is_as(after, self.key.as_ref());
        self.later.reason(&way.target, way.after.as_ref(), is_as)
    }

    fn finish(self) -> Undo {
        let Self { targets, mut undo, .. } = self;
        let mut targets: Vec<Target<'_>> = targets.into_values().collect();
        targets.sort_by_key(Target::position);
        for target in targets {
            let addresses = target.addresses.clone();
            match target.inverse() {
                Ok(inverse) => {
                    undo.resources += usize::from(inverse.is_some());
                    undo.statements.extend(inverse.into_iter().flat_map(Inverse::into_statements));
                }
                Err(reason) => undo.left.extend(addresses.into_iter().map(|address| {
                    let reason = reason.to_string();
                    NotUndone { address, reason, is_state: true }
                })),
            }
        }
        undo
    }
}

// The changes of runs that were undone already.

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

// The last applied values after an undo.

/// A resource whose change is undone.
#[derive(Debug)]
pub(in crate::journal) struct UndoneRecord {
    target: TargetKey,
    /// Its last applied values, if they ended with the change.
    ended: Option<AppliedResource>,
}

impl UndoneRecord {
    fn of(begin: &ActionBegin) -> Self {
        let ended = begin.applied.as_deref().cloned();
        let key = ended.as_ref().map_or(&begin.key, |ended| &ended.key);
        Self { target: (key.kind.clone(), key.identity.clone()), ended }
    }
}

/// Makes the records of undone changes those of the present state, whichever configuration declared them: the undo did that,
/// so it is no drift. A resource that does not exist any more has no record. One that is no longer declared, and came back,
/// has its record again.
pub(in crate::journal) fn update_records(
    undone: &[UndoneRecord],
    records: &Records,
    machine: &Machine,
    kinds: &Registry,
    now: Time,
) -> Result<()> {
    let (mut applied, _) = records.applied(now)?;
    let mut configurations = BTreeSet::new();
    let host = machine.reading();
    let key = || records.secret_key().ok();
    for UndoneRecord { target, ended } in undone {
        let mut known = of_target(&applied, target);
        known.extend(ended.iter().filter(|ended| applied.get(&ended.key).is_none()).cloned());
        for record in known {
            let configuration = record.key.configuration.clone();
            let is_ended = ended.as_ref().is_some_and(|ended| ended.key == record.key);
            match Redeclared::observe(&record, kinds, &host, key) {
                Some(properties) => {
                    let is_left = record.is_left || is_ended;
                    applied.put(AppliedResource { properties, is_left, ..record });
                }
                None => _ = applied.forget(&record.key),
            }
            configurations.insert(configuration);
        }
    }
    configurations.iter().for_each(|configuration| applied.finish(configuration, None));
    applied.failure().cloned().map_or(Ok(()), Err)
}

fn of_target(applied: &Applied, (kind, identity): &TargetKey) -> Vec<AppliedResource> {
    let of_target =
        applied.all().filter(|record| record.key.kind == *kind && record.key.identity == *identity);
    of_target.cloned().collect()
}
