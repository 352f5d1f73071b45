//! The part of a visit that loads, compares and changes.

use std::sync::atomic::Ordering;

use uphold_model::{Claim, Difference, Role, Schema, Side, Value};
use uphold_resource::{Desired, ErrorKind, Instance, Interest, Look, Observation, PredictedEffects, Result};

use crate::event::{Change, ChangeKind, Mode, Skip, Verdict};
use crate::failure::Failure;
use crate::visit::early_exit::EarlyExit;
use crate::visit::values::Knowledge;
use crate::visit::verification::BeforeChange;
use crate::visit::{Outcome, Phase};
use crate::visitor::Visitor;

/// How resources are changed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Together {
    /// In one batch of their kind.
    Batch,
    /// Each for itself, but their files are put in place together.
    Writes,
}

/// A resource that was loaded and differs, and is changed together with others.
pub(crate) struct Prepared {
    pub(crate) together: Together,
    /// The resource as declared, if the visit decoded it.
    pub(crate) decoded: Option<Box<dyn Instance>>,
    /// The resource for this visit, if it is not as declared.
    pub(crate) completed: Option<Box<dyn Instance>>,
    pub(crate) seen: Observation,
    pub(crate) change: Change,
    /// The state before the change, if its group is verified.
    pub(crate) before: BeforeChange,
}

impl Visitor<'_> {
    pub(crate) fn converge(
        &self,
        declared: &dyn Instance,
        desired: Desired,
        phase: Phase,
    ) -> Result<Outcome, EarlyExit> {
        if desired == Desired::Present
            && let Some(waits) = self.await_packages(declared)
        {
            return waits;
        }
        let completed = self.prepare(declared, desired)?;
        let instance = completed.as_deref().unwrap_or(declared);
        self.record_inputs(instance);
        let seen = instance.observe(desired, &self.act())?;
        if seen.converged {
            self.approve(None)?;
            self.note_converged(instance, &seen);
            self.publish(instance, Knowledge::Seen(&seen));
            return Ok(Verdict::Unchanged.into());
        }
        let change = self.change(instance, &seen);
        if self.is_audited() {
            self.publish(instance, Knowledge::Seen(&seen));
            return Ok(Verdict::Differs(change).into());
        }
        if let Some(pause) = self.pause(&change) {
            self.publish(instance, Knowledge::Seen(&seen));
            return Ok(Verdict::Paused(change, pause).into());
        }
        self.check_other_names(&instance.claims())?;
        // Approve first: no handler may run for a change that is then refused.
        self.approve(Some(&change))?;
        self.visits.take_change(self.node)?;
        if phase == Phase::Look && is_certain(&seen, &change) {
            return Ok(Outcome::Intends);
        }
        if self.visits.mode() == Mode::Plan {
            return self.predict(instance, &seen, change);
        }
        let before = self.before_change(instance, desired);
        let together = match self.program.kind(self.node) {
            Some(kind) if kind.batches() => Some(Together::Batch),
            _ if instance.ends_with_write() && desired == Desired::Present => Some(Together::Writes),
            _ => None,
        };
        if let Some(together) = together {
            let prepared = Prepared { together, decoded: None, completed, seen, change, before };
            return Ok(Outcome::Prepared(Box::new(prepared)));
        }
        self.begin_change(&change, instance, Some(&seen));
        instance.apply(&seen, &self.act())?;
        self.load_again(declared, instance, desired, &change)?;
        self.record(instance, before);
        Ok(change.applied().into())
    }

    /// The resource for this visit; none if it is as declared. One that is removed needs no completed properties, and
    /// need not be valid.
    pub(crate) fn prepare(
        &self,
        declared: &dyn Instance,
        desired: Desired,
    ) -> Result<Option<Box<dyn Instance>>> {
        match desired {
            Desired::Present => declared.prepare(&Look::to(desired, &self.act())),
            Desired::Absent => Ok(None),
        }
    }

    /// The end of a visit that would create a file which a package may install; none if it would not. A plan cannot know
    /// the contents of the package.
    fn await_packages(&self, instance: &dyn Instance) -> Option<Result<Outcome, EarlyExit>> {
        let before = self.before;
        let installer = before.installer.as_ref().filter(|_| self.visits.mode() == Mode::Plan);
        if (!before.can_wait && installer.is_none()) || !self.creates_edited(instance) {
            return None;
        }
        Some(match installer.filter(|_| !before.can_wait) {
            Some(package) => Err(EarlyExit::Waits(package.clone())),
            None => Ok(Outcome::AfterPackages),
        })
    }

    /// Whether the resource would create the file that it edits. A file that cannot be read is for the visit to report.
    fn creates_edited(&self, instance: &dyn Instance) -> bool {
        let claims = instance.claims();
        let is_missing = |claim: &Claim| match claim {
            Claim::Path(path) => matches!(self.act().files().look(path), Ok(None)),
            _ => false,
        };
        claims.creates_edited && claims.edits.iter().any(is_missing)
    }

    /// Loads again after a change: a resource that still differs is an error, never a silent success.
    pub(crate) fn load_again(
        &self,
        declared: &dyn Instance,
        instance: &dyn Instance,
        desired: Desired,
        change: &Change,
    ) -> Result<(), EarlyExit> {
        // Our own writes were reported by now. The load that follows sees them, so that they wake no node.
        let reported = self.watching.and_then(|reports| reports.take_reported(self.node));
        let after = instance.observe(desired, &self.act())?;
        if !after.converged && !after.repeats {
            return Err(EarlyExit::Failed(Failure::still_different(instance, &after)));
        }
        self.note_changed(instance, &after, change);
        self.publish(instance, Knowledge::Seen(&after));
        if let Some(what) = reported.filter(|_| desired == Desired::Present) {
            self.check_sources(declared, &what);
        }
        Ok(())
    }

    /// A report during a change may concern a source from which properties were completed. If they would be completed
    /// in another way by now, there is one more visit.
    fn check_sources(&self, declared: &dyn Instance, what: &Interest) {
        if declared.interests(&self.act()).len() < 2 {
            return;
        }
        let seen = self.prepare(declared, Desired::Present).and_then(|completed| {
            completed.as_deref().unwrap_or(declared).observe(Desired::Present, &self.act())
        });
        if let (false, Some(reports)) = (seen.is_ok_and(|seen| seen.converged), self.watching) {
            reports.mark(self.node, what.clone());
        }
    }

    /// Tries the change on the overlay of the machine, so that later loads see it.
    fn predict(
        &self,
        instance: &dyn Instance,
        seen: &Observation,
        mut change: Change,
    ) -> Result<Outcome, EarlyExit> {
        let goals = change.differences.iter().filter_map(|difference| difference.to.value());
        let unknown = goals.filter_map(Value::first_unknown).map(|unknown| unknown.waits_for.clone()).next();
        if let Some(waits_for) = unknown {
            self.publish(instance, Knowledge::WillChange(Some(seen)));
            if is_certain(seen, &change) {
                return Ok(Verdict::WouldChange(change).into());
            }
            let inputs = self.inputs_of_waiting(change.inputs);
            return Ok(Verdict::MayChange { waits_for, because: None, inputs }.into());
        }
        let tried = self.muted(|| {
            instance.apply(seen, &self.act())?;
            instance.observe(seen.desired, &self.act())
        });
        match tried {
            Ok(after) if after.converged || after.repeats => {
                change.unknown.clear();
                self.publish(instance, Knowledge::Seen(&after));
                self.predicted.store(true, Ordering::Relaxed);
                Ok(Verdict::WouldChange(change).into())
            }
            Err(error) if !is_unpredictable(error.kind()) => Err(error.into()),
            _ => {
                self.publish(instance, Knowledge::WillChange(Some(seen)));
                Ok(Verdict::WouldChange(change).into())
            }
        }
    }

    pub(crate) fn run_verb(
        &self,
        declared: &dyn Instance,
        verb: &str,
        phase: Phase,
    ) -> Result<Outcome, EarlyExit> {
        let completed = self.prepare(declared, Desired::Present)?;
        let instance = completed.as_deref().unwrap_or(declared);
        self.record_inputs(instance);
        let foreseen = instance.predict_verb(verb, &self.act())?;
        if foreseen.as_ref().is_some_and(|foreseen| foreseen.differences.is_empty()) {
            self.approve(None)?;
            self.publish_loaded(instance);
            return Ok(Verdict::Unchanged.into());
        }
        let PredictedEffects { differences, inputs, .. } = foreseen.unwrap_or_default();
        let differences = differences.into_iter().map(|difference| self.hide(difference)).collect();
        let inputs = self.inputs_with(inputs);
        let (causes, unknown) = Default::default();
        let change = Change { kind: ChangeKind::Run, differences, causes, unknown, inputs };
        if self.is_audited() {
            return Ok(Verdict::Differs(change).into());
        }
        if let Some(pause) = self.pause(&change) {
            return Ok(Verdict::Paused(change, pause).into());
        }
        // Approve first: no handler may run for a change that is then refused.
        self.approve(Some(&change))?;
        self.visits.take_change(self.node)?;
        if phase == Phase::Look {
            return Ok(Outcome::Intends);
        }
        if self.visits.mode() == Mode::Plan {
            let tried = self.muted(|| instance.run_verb(verb, &self.act()));
            self.publish(instance, Knowledge::WillChange(None));
            return match tried {
                Err(error) if !is_unpredictable(error.kind()) => Err(error.into()),
                tried => {
                    self.predicted.store(tried.is_ok(), Ordering::Relaxed);
                    Ok(Verdict::WouldChange(change).into())
                }
            };
        }
        self.begin_change(&change, instance, None);
        instance.run_verb(verb, &self.act())?;
        self.record_verb(verb);
        self.publish_loaded(instance);
        Ok(change.applied().into())
    }

    /// A verb promises no state. If its resource cannot be loaded, its declared values are published all the same.
    fn publish_loaded(&self, instance: &dyn Instance) {
        if !self.slot().read_by_others.is_empty() {
            let seen = instance.look(&Look::to_read(&self.act())).ok();
            self.publish(instance, seen.as_ref().map_or(Knowledge::Declared, Knowledge::Seen));
        }
    }

    /// Asks whether a change is as planned.
    fn approve(&self, change: Option<&Change>) -> Result<(), EarlyExit> {
        let (Some(approval), Mode::Apply) = (self.visits.request.approval, self.visits.mode()) else {
            return Ok(());
        };
        let (id, action) = (self.program.id(self.node), self.entry().action());
        let approved = approval.approve(self.node, id, action, change);
        approved.map_err(|why| EarlyExit::Skipped(Skip::NotAsPlanned(why)))
    }

    fn change(&self, instance: &dyn Instance, seen: &Observation) -> Change {
        let kind = match (seen.desired, seen.exists) {
            _ if seen.repeats => ChangeKind::Run,
            (Desired::Absent, _) => ChangeKind::Remove,
            // A resource without state that cannot be removed cannot be created, either: it is run.
            (Desired::Present, false) if is_stateless(instance.schema()) => ChangeKind::Run,
            (Desired::Present, true) => ChangeKind::Update,
            (Desired::Present, false) => ChangeKind::Create,
        };
        let exports = || instance.schema().all().into_iter().filter(|property| property.role == Role::Export);
        let unknown = match kind {
            ChangeKind::Create | ChangeKind::Run => exports().map(|property| property.name).collect(),
            _ => Vec::new(),
        };
        let differences = seen.differences.iter().cloned().map(|difference| self.hide(difference)).collect();
        let differences = self.without_applied_secrets(differences, instance, seen);
        let mut inputs = seen.inputs.clone();
        if self.visits.is_compared() {
            inputs.extend(instance.inputs(seen.desired, &self.act()));
        }
        let causes = self.causes(instance, seen);
        Change { kind, differences, causes, unknown, inputs: self.inputs_with(inputs) }
    }

    /// A difference as it may be shown.
    fn hide(&self, difference: Difference) -> Difference {
        if self.hides_all() { difference.sensitive() } else { difference }
    }
}

/// Whether an error means only that the change cannot be tried.
fn is_unpredictable(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Unpredictable | ErrorKind::NotYet)
}

/// Whether there is a change, even if unknown values turn out to be equal.
fn is_certain(seen: &Observation, change: &Change) -> bool {
    !seen.exists || change.differences.iter().any(|difference| is_known(&difference.to))
}

fn is_known(side: &Side) -> bool {
    side.value().is_none_or(|value| value.first_unknown().is_none())
}

fn is_stateless(schema: &Schema) -> bool {
    !schema.removable && schema.find(&|property| property.role.is_state()).is_none()
}
