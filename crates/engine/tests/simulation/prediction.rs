//! Compares a plan with the apply that follows, on a machine without other changes.

use std::collections::BTreeSet;
use std::mem::discriminant;

use uphold_engine::{Change, Skip, Unwanted, Verdict as Came};
use uphold_model::Value;

use super::order::{Handler, Orders, Prior};
use super::referee::Record;
use super::scene::{Group, Scene, Text, Thing};
use super::turn::{Verdict, What, ensure};

/// A plan and an apply of one program.
pub(crate) struct Prediction<'a> {
    scene: &'a Scene,
    orders: &'a Orders,
    planned: &'a [Record],
    applied: &'a [Record],
    /// Failures that the plan could not predict.
    surprises: BTreeSet<Thing>,
    /// Actions that differ from the plan for a known reason.
    off: BTreeSet<Thing>,
    /// Actions that only might change, and were not even started.
    open: BTreeSet<Thing>,
}

impl<'a> Prediction<'a> {
    pub(crate) fn new(
        scene: &'a Scene,
        orders: &'a Orders,
        planned: &'a [Record],
        applied: &'a [Record],
    ) -> Self {
        let failed = |record: &&Record| matches!(record.came, Came::Failed(_) | Came::Ignored(_));
        let foreseen =
            |record: &&Record| planned.iter().filter(failed).any(|planned| is_alike(planned, record));
        let surprises = applied.iter().filter(failed).filter(|record| record.early || !foreseen(record));
        let surprises: BTreeSet<Thing> = surprises.map(|record| record.thing).collect();
        let off = BTreeSet::clone(&surprises);
        Self { scene, orders, planned, applied, surprises, off, open: BTreeSet::new() }
    }

    /// Every action ended as planned.
    pub(crate) fn check(mut self) -> Verdict {
        for applied in self.applied.iter().filter(|record| matches!(record.what, What::Written(_))) {
            self.check_written(applied)?;
        }
        self.note_unlucky();
        for record in self.planned.iter().chain(self.applied) {
            if let What::Asked { handler, .. } = record.what {
                self.check_asked(handler)?;
            }
        }
        Ok(())
    }

    /// Whether the run has already failed at this point depends on the order, and so do all notifications of it.
    fn note_unlucky(&mut self) {
        let unlucky = |record: &&Record| matches!(record.came, Came::NotWanted(Unwanted::RunFailed));
        let both = self.planned.iter().chain(self.applied);
        self.off.extend(both.filter(unlucky).map(|record| record.thing));
    }

    fn check_written(&mut self, applied: &Record) -> Verdict {
        let scene = self.scene;
        let name = || format!("{} {}", scene.things[applied.thing].path, applied.action);
        let planned = self.planned.iter().find(|planned| planned.what == applied.what);
        let Some(planned) = planned else { return Err(format!("{} is not in the plan", name())) };
        let kept = match (&planned.came, &applied.came) {
            (Came::WouldChange(_), Came::Changed(_)) => true,
            // A plan reports an audited resource as different as soon as it may be.
            (Came::Differs(change), Came::Unchanged) => is_unknown(change),
            (planned, applied) => discriminant(planned) == discriminant(applied),
        };
        if kept {
            return Ok(());
        }
        if matches!(planned.came, Came::MayChange { .. }) {
            self.open.extend(
                matches!(applied.came, Came::Skipped(_) | Came::NotWanted(_)).then_some(applied.thing),
            );
            return Ok(());
        }
        let failed = matches!(applied.came, Came::Failed(_) | Came::Ignored(_));
        let excused =
            (failed && (self.is_risky(planned) || self.reads_doubtful(applied))) || self.is_swayed(applied);
        self.off.insert(applied.thing);
        ensure(excused, || format!("{}: planned {:?}, came {:?}", name(), planned.came, applied.came))
    }

    /// Whether one of its dependencies ended differently than planned.
    fn is_swayed(&self, applied: &Record) -> bool {
        let What::Written(step) = applied.what else { return false };
        if let Came::Skipped(Skip::FailedBefore(root)) = &applied.came
            && self.off.iter().chain(&self.open).any(|thing| self.scene.id(*thing) == *root)
        {
            return true;
        }
        let priors = self.orders.of_steps[step].iter();
        let mut things: Vec<Thing> = Vec::new();
        for wait in priors {
            match wait.prior {
                Prior::Step(step) => things.push(self.scene.steps[step].thing),
                Prior::End(cluster) => {
                    things
                        .extend(self.scene.steps_in(Some(cluster)).map(|step| self.scene.steps[step].thing));
                }
            }
        }
        things.extend(self.scene.tells_of(applied.thing).into_iter().map(|(_, transcript)| transcript));
        let mended = [self.planned, self.applied].map(|records| is_mended_first(records, applied));
        mended[0] != mended[1]
            || things.iter().any(|thing| self.off.contains(thing) || self.open.contains(thing))
            || self.hears_asked(step)
    }

    /// Whether its groups subscribe to a resource that others notify: the time is not defined.
    fn hears_asked(&self, step: usize) -> bool {
        let groups = self.scene.around(self.scene.steps[step].cluster);
        let mut heard = groups.flat_map(|cluster| &self.scene.clusters[cluster].subscribes);
        heard.any(|thing| self.orders.handlers.iter().any(|handler| handler.thing == *thing))
    }

    /// Whether a sender of this one ended differently than planned.
    fn is_told_otherwise(&self, handler: usize) -> bool {
        let handler = self.orders.handlers[handler];
        let tells = |thing: &Thing| {
            let resources = self.scene.tells_of(*thing).into_iter();
            let groups = self.scene.around(self.scene.things[*thing].cluster);
            let groups = groups.flat_map(|cluster| &self.scene.clusters[cluster].around.notifies);
            let mut all = resources.chain(groups.map(|tell| (*tell, tell.other)));
            all.any(|(tell, transcript)| transcript == handler.thing && tell.action == handler.action)
        };
        self.off.iter().any(tells) || self.is_told_by_chance(handler)
    }

    /// Whether a group notifies it because of a member that others notify: its order with the group's end is undefined.
    fn is_told_by_chance(&self, handler: Handler) -> bool {
        let tells = |group: &Group| {
            let mut notifies = group.around.notifies.iter();
            notifies.any(|tell| tell.other == handler.thing && tell.action == handler.action)
        };
        let asked = |cluster: usize| {
            let is_in =
                |other: &Handler| self.scene.is_in(self.scene.things[other.thing].cluster, Some(cluster));
            self.orders.handlers.iter().any(is_in)
        };
        let mut telling = self.scene.clusters.iter().enumerate().filter(|(_, group)| tells(group));
        telling.any(|(cluster, _)| asked(cluster))
    }

    /// Actions through a command, that never converge, or that could not be tried, can fail anyway.
    fn is_risky(&self, record: &Record) -> bool {
        let unknown = match &record.came {
            Came::WouldChange(change) => is_unknown(change),
            _ => false,
        };
        let how = self.scene.things[record.thing].how;
        unknown || matches!(how, "deed" | "lie") || matches!(record.action, "ring" | "mend")
    }

    /// Whether it reads a value that may differ from the plan, or that never becomes known: a plan cannot
    /// distinguish the two.
    fn reads_doubtful(&self, record: &Record) -> bool {
        let Text::LengthOf(read) = self.scene.things[record.thing].text else { return false };
        let doubtful =
            |came: &Came| matches!(came, Came::MayChange { .. } | Came::Differs(_) | Came::Ignored(_));
        let may = |record: &Record| record.thing == read && doubtful(&record.came);
        self.off.contains(&read) || self.planned.iter().any(may)
    }

    /// The first sender depends on the order: all runs of one action are compared at once.
    fn check_asked(&self, handler: usize) -> Verdict {
        let of = |records: &'a [Record]| -> Vec<&'a Record> {
            let same =
                |record: &&Record| matches!(record.what, What::Asked { handler: own, .. } if own == handler);
            records.iter().filter(same).collect()
        };
        let (planned, applied) = (of(self.planned), of(self.applied));
        if self.is_told_otherwise(handler)
            || planned.iter().chain(&applied).any(|record| self.is_chancy(record))
        {
            return Ok(());
        }
        let transcript = || {
            let came = |records: &[&Record]| {
                records.iter().map(|record| format!("{:?}", record.came)).collect::<Vec<_>>()
            };
            let any = planned.first().or(applied.first());
            let name = any.map(|any| format!("{} {}", self.scene.things[any.thing].path, any.action));
            format!("{name:?} on request: planned {:?}, came {:?}", came(&planned), came(&applied))
        };
        let may = planned.iter().any(|record| matches!(record.came, Came::MayChange { .. }));
        let would = planned.iter().any(|record| matches!(record.came, Came::WouldChange(_)));
        let changed = applied.iter().any(|record| matches!(record.came, Came::Changed(_)));
        let ran = applied.iter().any(|record| !matches!(record.came, Came::Skipped(_) | Came::NotWanted(_)));
        let expected =
            planned.iter().any(|record| !matches!(record.came, Came::Skipped(_) | Came::NotWanted(_)));
        ensure(!ran || expected, transcript)?;
        ensure(!changed || would || may, transcript)?;
        let excused =
            planned.iter().any(|record| self.is_risky(record) || matches!(record.came, Came::Failed(_)));
        ensure(!would || changed || excused || !self.surprises.is_empty(), transcript)
    }

    /// Whether the run has already failed depends on the order; and a plan does not see that a value read
    /// too early never becomes known.
    fn is_chancy(&self, record: &Record) -> bool {
        record.early
            || matches!(record.came, Came::NotWanted(Unwanted::RunFailed))
            || self.reads_doubtful(record)
    }
}

/// Whether another resource already made the wanted change before its turn ended.
fn is_mended_first(records: &[Record], written: &Record) -> bool {
    let of_thing = records.iter().filter(|record| record.thing == written.thing);
    of_thing.take_while(|record| record.what != written.what).any(|record| record.action == "mend")
}

/// Whether two runs are of the same action. The first sender depends on the order.
fn is_alike(one: &Record, other: &Record) -> bool {
    match (one.what, other.what) {
        (What::Asked { handler: one, .. }, What::Asked { handler: other, .. }) => one == other,
        (one, other) => one == other,
    }
}

/// Whether a plan does not know the complete value.
fn is_unknown(change: &Change) -> bool {
    change.differences.iter().any(|difference| difference.to.value().is_some_and(Value::is_unknown))
}
