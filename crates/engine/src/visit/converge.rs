//! The part of a visit that looks, compares and changes.

use uphold_model::{Difference, Role, Schema, Side, Value};
use uphold_resource::{Desired, ErrorKind, Foreseen, Instance, Interest, Observation};

use crate::event::{Change, ChangeKind, Mode, Skip, Verdict};
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::program::Node;
use crate::program::list::ActionEntry;
use crate::visit::early_exit::EarlyExit;
use crate::visit::publish::Knowledge;
use crate::visit::{Outcome, Phase, Visits};
use crate::visitor::Visitor;

/// A resource that was looked at and differs, and is to be changed together with others.
pub(crate) struct Prepared {
    /// The resource; it is put here by who owns it.
    pub(crate) instance: Option<Box<dyn Instance>>,
    /// Whether the instance is used by the next visit, too.
    pub(crate) kept: bool,
    pub(crate) seen: Observation,
    pub(crate) change: Change,
}

/// What a step came to.
pub(crate) struct Taken {
    pub(crate) outcome: Outcome,
    /// Whether later looks see what it would change.
    pub(crate) predicted: bool,
}

impl From<Verdict> for Taken {
    fn from(verdict: Verdict) -> Self {
        Self { outcome: Outcome::Done(verdict), predicted: false }
    }
}

impl Visits<'_> {
    pub(crate) fn converge(
        &self,
        node: NodeIndex,
        instance: &mut dyn Instance,
        desired: Desired,
        phase: Phase,
        host: &Visitor<'_>,
    ) -> Result<Taken, EarlyExit> {
        let (entry, slot) = (self.program.list.get(node as usize), self.program.node(node));
        // What is to be removed needs no completed wish.
        if desired == Desired::Present {
            instance.prepare(&host.act())?;
        }
        self.record_inputs(node, instance, host);
        let seen = instance.observe(desired, &host.act())?;
        if seen.converged {
            self.approve(node, None)?;
            self.publish(entry, slot, instance, host, Knowledge::Seen(&seen));
            return Ok(Verdict::Unchanged.into());
        }
        let change = change(instance, &seen, host);
        if self.is_audited(entry) {
            self.publish(entry, slot, instance, host, Knowledge::Seen(&seen));
            return Ok(Verdict::Differs(change).into());
        }
        // Before anybody is told: what is done because of a change is done only if the change may be.
        self.approve(node, Some(&change))?;
        self.take_change(node)?;
        if phase == Phase::Look && is_certain(&seen, &change) {
            return Ok(Taken { outcome: Outcome::Intends, predicted: false });
        }
        if self.mode() == Mode::Plan {
            return self.predict(node, instance, &seen, change, host);
        }
        if self.can_merge(entry.resource) {
            let prepared = Prepared { instance: None, kept: false, seen, change };
            return Ok(Taken { outcome: Outcome::Prepared(Box::new(prepared)), predicted: false });
        }
        instance.apply(&seen, &host.act())?;
        self.look_again(node, instance, desired, host)?;
        Ok(change.applied().into())
    }

    /// After a change the engine looks again: still different is an error, never a silent success.
    pub(crate) fn look_again(
        &self,
        node: NodeIndex,
        instance: &mut dyn Instance,
        desired: Desired,
        host: &Visitor<'_>,
    ) -> Result<(), EarlyExit> {
        let (entry, slot) = (self.program.list.get(node as usize), self.program.node(node));
        // Our own writes were reported by now: the look that follows sees them, so they wake nobody.
        let reported = self.subsume(node);
        let after = instance.observe(desired, &host.act())?;
        if !after.converged && !after.repeats {
            return Err(EarlyExit::Failed(Failure::still_different(&after)));
        }
        self.publish(entry, slot, instance, host, Knowledge::Seen(&after));
        if desired == Desired::Present {
            reported.iter().for_each(|what| self.look_at_sources(node, instance, host, what));
        }
        Ok(())
    }

    /// What was reported while something was changed may be about what the wish was completed from. If the wish is
    /// another one by now, there is one more visit.
    fn look_at_sources(
        &self,
        node: NodeIndex,
        instance: &mut dyn Instance,
        host: &Visitor<'_>,
        what: &Interest,
    ) {
        if instance.interests(&host.act()).len() < 2 {
            return;
        }
        let seen =
            instance.prepare(&host.act()).and_then(|()| instance.observe(Desired::Present, &host.act()));
        if !seen.is_ok_and(|seen| seen.converged) {
            self.watch.iter().for_each(|watch| watch.reports.mark(node, what.clone()));
        }
    }

    /// Tries the change on the overlay of the machine, so that later looks see it.
    fn predict(
        &self,
        node: NodeIndex,
        instance: &dyn Instance,
        seen: &Observation,
        mut change: Change,
        host: &Visitor<'_>,
    ) -> Result<Taken, EarlyExit> {
        let (entry, slot) = (self.program.list.get(node as usize), self.program.node(node));
        let goals = change.differences.iter().filter_map(|difference| difference.to.value());
        let unknown = goals.filter_map(Value::first_unknown).map(|unknown| unknown.waits_for.clone()).next();
        if let Some(waits_for) = unknown {
            self.publish(entry, slot, instance, host, Knowledge::WillChange(Some(seen)));
            return Ok(match is_certain(seen, &change) {
                true => Verdict::WouldChange(change).into(),
                false => {
                    let inputs = self.inputs_of_waiting(node, host, change.inputs);
                    Verdict::MayChange { waits_for, because: None, inputs }.into()
                }
            });
        }
        let tried = host.muted(|| {
            instance.apply(seen, &host.act())?;
            instance.observe(seen.desired, &host.act())
        });
        match tried {
            Ok(after) if after.converged || after.repeats => {
                change.unknown.clear();
                self.publish(entry, slot, instance, host, Knowledge::Seen(&after));
                Ok(Taken { predicted: true, ..Verdict::WouldChange(change).into() })
            }
            Err(error) if !may_come(error.kind()) => Err(error.into()),
            _ => {
                self.publish(entry, slot, instance, host, Knowledge::WillChange(Some(seen)));
                Ok(Verdict::WouldChange(change).into())
            }
        }
    }

    pub(crate) fn run_verb(
        &self,
        node: NodeIndex,
        instance: &mut dyn Instance,
        verb: &str,
        phase: Phase,
        host: &Visitor<'_>,
    ) -> Result<Taken, EarlyExit> {
        let (entry, slot) = (self.program.list.get(node as usize), self.program.node(node));
        instance.prepare(&host.act())?;
        self.record_inputs(node, instance, host);
        let foreseen = instance.foresee_verb(verb, &host.act())?;
        if foreseen.as_ref().is_some_and(|foreseen| foreseen.differences.is_empty()) {
            self.approve(node, None)?;
            self.publish_look(entry, slot, instance, host);
            return Ok(Verdict::Unchanged.into());
        }
        let hide =
            |difference: Difference| if host.hides_all() { difference.sensitive() } else { difference };
        let Foreseen { differences, inputs, .. } = foreseen.unwrap_or_default();
        let differences = differences.into_iter().map(hide).collect();
        let inputs = host.inputs_with(inputs);
        let change = Change { kind: ChangeKind::Run, differences, unknown: Vec::new(), inputs };
        if self.is_audited(entry) {
            return Ok(Verdict::Differs(change).into());
        }
        // Before anybody is told: what is done because of a change is done only if the change may be.
        self.approve(node, Some(&change))?;
        self.take_change(node)?;
        if phase == Phase::Look {
            return Ok(Taken { outcome: Outcome::Intends, predicted: false });
        }
        if self.mode() == Mode::Plan {
            let tried = host.muted(|| instance.run_verb(verb, &host.act()));
            self.publish(entry, slot, instance, host, Knowledge::WillChange(None));
            return match tried {
                Err(error) if !may_come(error.kind()) => Err(error.into()),
                tried => Ok(Taken { predicted: tried.is_ok(), ..Verdict::WouldChange(change).into() }),
            };
        }
        instance.run_verb(verb, &host.act())?;
        self.publish_look(entry, slot, instance, host);
        Ok(change.applied().into())
    }

    /// A verb promises nothing about what a look finds; what it told is there in any case.
    fn publish_look(&self, entry: &ActionEntry, slot: &Node, instance: &dyn Instance, host: &Visitor<'_>) {
        if !slot.read_by_others.is_empty() {
            let seen = instance.look(&host.act()).ok();
            let known = seen.as_ref().map_or(Knowledge::Told, Knowledge::Seen);
            self.publish(entry, slot, instance, host, known);
        }
    }

    /// Asks whether what is found is as it was planned.
    fn approve(&self, node: NodeIndex, change: Option<&Change>) -> Result<(), EarlyExit> {
        let (Some(approval), Mode::Apply) = (self.request.approval, self.mode()) else { return Ok(()) };
        let entry = self.program.list.get(node as usize);
        let approved = approval.approve(node, self.program.set.id(entry.resource), entry.action(), change);
        approved.map_err(|why| EarlyExit::Skipped(Skip::NotAsPlanned(why)))
    }
}

/// Whether a failure to try something says only that it cannot be tried.
fn may_come(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Unpredictable | ErrorKind::NotYet)
}

/// Whether there is a change, whatever becomes of what is not known.
fn is_certain(seen: &Observation, change: &Change) -> bool {
    !seen.exists || change.differences.iter().any(|difference| is_known(&difference.to))
}

fn is_done(schema: &Schema) -> bool {
    !schema.removable && !schema.all().iter().any(|property| property.role.is_state())
}

fn is_known(side: &Side) -> bool {
    side.value().is_none_or(|value| value.first_unknown().is_none())
}

fn change(instance: &dyn Instance, seen: &Observation, host: &Visitor<'_>) -> Change {
    let kind = match (seen.desired, seen.exists) {
        _ if seen.repeats => ChangeKind::Run,
        (Desired::Absent, _) => ChangeKind::Remove,
        // What has no state and cannot be removed cannot be made, either: it is done.
        (Desired::Present, false) if is_done(instance.schema()) => ChangeKind::Run,
        (Desired::Present, true) => ChangeKind::Update,
        (Desired::Present, false) => ChangeKind::Create,
    };
    let exports = instance.schema().all().into_iter().filter(|property| property.role == Role::Export);
    let unknown = match kind {
        ChangeKind::Create | ChangeKind::Run => exports.map(|property| property.name).collect(),
        _ => Vec::new(),
    };
    let hide = host.hides_all();
    let differences = seen.differences.iter().cloned().map(|d| if hide { d.sensitive() } else { d });
    let mut inputs = seen.inputs.clone();
    if host.visits.is_compared() {
        inputs.extend(instance.inputs(seen.desired, &host.act()));
    }
    let inputs = host.inputs_with(inputs);
    Change { kind, differences: differences.collect(), unknown, inputs }
}
