//! The statements that undo recorded actions.

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_journal::{Action, ActionBegin, After, Records, Run, SecretKey};
use uphold_model::Statement;
use uphold_resource::{Inverse, Reading, Registry};

use super::changed_since::{LaterChanges, TargetKey, every_target, is_change};
use super::records::UndoneRecord;
use super::step::{Way, ways};
use super::target::{Match, Target};

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
        for way in ways(action, self.kinds, &self.records.objects())? {
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
