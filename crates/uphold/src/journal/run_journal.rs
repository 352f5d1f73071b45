//! The journal of one run: joins the engine with the store.

mod changes;

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_engine::{Event, EventKind, Program, Summary, Verdict};
use uphold_journal::{
    ActionEnd, Damage, Delivery, DueNotification, Failure, LeftResource, NewRun, ObjectBounds, Pending,
    Records, ResourceKey, Result, RunBounds, RunEnd, RunWriter, Time,
};
use uphold_model::{Action, Mutex, ResourceId};
use uphold_resource::{Clock, Machine, Registry};

use super::applied::AppliedValues;
use super::moved_verification::{move_all, moved_verifications};
use super::previous::{StateAfter, StateRecorder};
use super::removal::Removals;
use super::undo::{Undo, update_records};
use super::words;
use changes::InProgress;

/// Records a run, and keeps its notifications until they are delivered. Only the holder of the run lock has one.
pub struct RunJournal {
    clock: Arc<dyn Clock>,
    pending: Pending,
    /// None if a newer version wrote the journal: then only notifications are kept.
    records: Option<(Records, RunWriter)>,
    states: Option<StateRecorder>,
    /// None without records, for a configuration without a name, and for an undo.
    applied: Option<AppliedValues>,
    /// The configuration, as part of each key: two configurations never see each other's resources.
    configuration: String,
    /// Later notifications became due in this run.
    last_before: AtomicU64,
    in_progress: Mutex<FxHashMap<(ResourceId, Action), InProgress>>,
    deliveries: Mutex<FxHashMap<(ResourceId, Action), Delivery>>,
    /// The numbers of changes that notify something: one of a verified group may be put back.
    notifying: Mutex<FxHashMap<(ResourceId, Action), u64>>,
    /// Verifications of earlier runs that no group can repeat.
    unverifiable: Mutex<Vec<DueNotification>>,
}

impl RunJournal {
    /// The journal of a run that begins. The damage is for a warning; the audit log, opened for appending, gets the same
    /// lines as the record of the run.
    ///
    /// # Errors
    /// If the pending notifications cannot be read.
    pub fn begin(
        journal: &uphold_journal::Journal,
        clock: Arc<dyn Clock>,
        configuration: String,
        new: NewRun,
        audit_log: Option<Box<dyn Write + Send>>,
    ) -> Result<(Self, Option<Damage>)> {
        let (pending, damage) = journal.pending(words::time(clock.now()))?;
        Ok((Self::with(pending, journal.records(), clock, configuration, new, audit_log), damage))
    }

    /// The same in another storage, such as one in memory for tests.
    ///
    /// # Errors
    /// If the pending notifications cannot be read.
    pub fn begin_in(
        records: Records,
        clock: Arc<dyn Clock>,
        configuration: String,
        new: NewRun,
    ) -> Result<(Self, Option<Damage>)> {
        let (pending, damage) = records.pending(words::time(clock.now()))?;
        Ok((Self::with(pending, Some(records), clock, configuration, new, None), damage))
    }

    fn with(
        pending: Pending,
        records: Option<Records>,
        clock: Arc<dyn Clock>,
        configuration: String,
        new: NewRun,
        audit_log: Option<Box<dyn Write + Send>>,
    ) -> Self {
        let new = NewRun { time: words::time(clock.now()), ..new };
        // The declarations of an undo are not those of a configuration.
        let declares = matches!(&*new.mode, "apply" | "watch") && !configuration.is_empty();
        let last_before = last_due(&pending).into();
        let records = records.map(|records| {
            let writer = records.begin_run(new, audit_log);
            (records, writer)
        });
        let states = records.as_ref().map(|(records, _)| StateRecorder::new(records.clone()));
        let applied = records
            .as_ref()
            .filter(|_| declares)
            .map(|(records, _)| AppliedValues::new(records.clone(), &configuration));
        let (in_progress, deliveries, notifying, unverifiable) = Default::default();
        Self {
            clock,
            pending,
            records,
            states,
            applied,
            configuration,
            last_before,
            in_progress,
            deliveries,
            notifying,
            unverifiable,
        }
    }

    /// The number of the run, if it is recorded.
    pub fn number(&self) -> Option<u64> {
        self.records.as_ref()?.1.run()
    }

    /// A run of `program` begins on a machine, of all resources if `is_whole`, with these removals.
    pub fn declare(&self, program: &Program, is_whole: bool, removals: &Arc<Removals>, machine: &Machine) {
        if let Some(applied) = &self.applied {
            applied.declare(program, is_whole, removals.clone(), machine);
        }
    }

    /// The groups of this program verify what an earlier run left to groups that are not declared any more. Call it before the
    /// run.
    pub fn move_verifications(&self, program: &Program) {
        let moved = moved_verifications(self.own_due(), program);
        *self.unverifiable.lock() = move_all(moved, &self.pending, self.number());
        self.last_before.store(last_due(&self.pending), Ordering::Relaxed);
    }

    /// Takes the verifications of earlier runs that were dropped, because no group verifies the changed resources any more.
    pub fn take_unverifiable(&self) -> Vec<DueNotification> {
        std::mem::take(&mut *self.unverifiable.lock())
    }

    /// The resources that are no longer declared and stay: before the run as far as that is known, after it exactly.
    pub fn left(&self) -> Vec<LeftResource> {
        self.applied.as_ref().map(AppliedValues::left).unwrap_or_default()
    }

    /// Records an event. Each event of the run has to pass here.
    pub fn event(&self, event: &Event) {
        match (&event.kind, &self.applied) {
            (EventKind::Watching { .. }, applied) => {
                self.pending.compact();
                applied.iter().for_each(AppliedValues::watching);
            }
            // A failure is reported at the end.
            (EventKind::RunFinished(summary), Some(applied)) => _ = applied.finish(Some(summary), self.now()),
            _ => {}
        }
        let EventKind::Finished { resource, action, verdict, cause, took, .. } = &event.kind else { return };
        let ended = match verdict {
            Verdict::PutBack(_) => take(&self.notifying, resource, action).map(|number| (number, None)),
            _ => self.settle_change(resource, action),
        };
        if let (Some((number, after)), Some((_, writer))) = (ended, &self.records) {
            let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
            let removal = self.applied.as_ref().and_then(|applied| applied.removal_reason(resource));
            let why = removal.or_else(|| words::why(cause));
            let error = words::error(verdict);
            let as_declared = matches!(after, Some(StateAfter::AsDeclared));
            let after = after.and_then(StateAfter::into_other);
            let new = ActionEnd::new(number, words::verdict(verdict), ms);
            let end = ActionEnd { why, error, after, as_declared, ..new };
            writer.end_action(end);
        }
        if let Verdict::Failed(failure) = verdict
            && let Some(delivery) = take(&self.deliveries, resource, action)
        {
            self.pending.delivery_failed(delivery, &failure.message);
        }
    }

    /// A change has ended: its number, and the state after it.
    fn settle_change(&self, resource: &ResourceId, action: &Action) -> Option<(u64, Option<StateAfter>)> {
        let InProgress { number, tickets, after, .. } = take(&self.in_progress, resource, action)?;
        if let Some(number) = number.filter(|_| !tickets.is_empty()) {
            self.notifying.lock().insert((resource.clone(), action.clone()), number);
        }
        tickets.into_iter().for_each(|ticket| self.pending.settle(ticket));
        Some((number?, after))
    }

    /// The run is over. `is_clean` says whether the repository of the configuration has no uncommitted change; it is called
    /// only if the run did something. Returns why the journal could not be written, if it could not.
    pub fn end(&self, summary: &Summary, is_clean: impl FnOnce() -> Option<bool>) -> Option<Failure> {
        let now = self.now();
        let mut failure = self.pending.failure();
        if let Some((records, writer)) = &self.records {
            let has_changed = summary.changed > 0;
            let clean = if has_changed { is_clean() } else { None };
            let due = self.pending.due().len() as u64;
            let end = RunEnd { counts: words::counts(summary), due, clean, ..RunEnd::at(now) };
            failure = failure.or(writer.end(end));
            failure = failure.or(records.clean_up(&RunBounds::default(), now, has_changed).err());
            if has_changed {
                let pruned = records.objects().prune(&ObjectBounds::default(), now, &BTreeSet::new());
                failure = failure.or(pruned.err());
            }
        }
        self.pending.compact();
        let unwritten = self.applied.as_ref().and_then(|applied| applied.finish(None, now));
        failure.or(self.pending.failure()).or(unwritten)
    }

    /// An undo is over: from now on, its results count as applied, so that they are no drift.
    pub fn undone(&self, undo: &Undo, machine: &Machine, kinds: &Registry) {
        if let Some((records, _)) = &self.records {
            // A failure to write costs information only.
            _ = update_records(&undo.records, records, machine, kinds, self.now());
        }
    }

    fn now(&self) -> Time {
        words::time(self.clock.now())
    }

    /// The notifications of this configuration that are due: those whose target is declared, and the others.
    pub fn due(&self, program: &Program) -> (Vec<DueNotification>, Vec<DueNotification>) {
        let due: Vec<DueNotification> = self.own_due().collect();
        if due.is_empty() {
            return (due, Vec::new());
        }
        let declared: FxHashSet<String> = program.declared_ids().map(ToString::to_string).collect();
        due.into_iter().partition(|due| declared.contains(&due.address))
    }

    fn own_due(&self) -> impl Iterator<Item = DueNotification> {
        self.pending.due().into_iter().filter(|due| due.target.configuration == self.configuration)
    }

    /// The key of a notified resource: its address, because that is what a notification names.
    fn target(&self, resource: &ResourceId) -> ResourceKey {
        ResourceKey::new(&*self.configuration, resource.kind.to_string(), resource.to_string())
    }
}

/// The number of the last notification that is due.
fn last_due(pending: &Pending) -> u64 {
    pending.due().iter().map(|due| due.n).max().unwrap_or_default()
}

/// Takes the entry of an action. Most actions have none, so nothing is allocated to find that out.
fn take<T>(
    entries: &Mutex<FxHashMap<(ResourceId, Action), T>>,
    resource: &ResourceId,
    action: &Action,
) -> Option<T> {
    let mut entries = entries.lock();
    if entries.is_empty() { None } else { entries.remove(&(resource.clone(), action.clone())) }
}
