//! Runs one seed: plan, apply, apply again, each checked by the referee.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};

use uphold_engine::{Engine, Event, EventKind, Keep, Mode, Program, Verdict as Came};

use super::invention::invent;
use super::kinds::{Folder, Note, Pack};
use super::machine::Machine;
use super::order::Orders;
use super::prediction::Prediction;
use super::referee::{Record, Referee};
use super::scene::Scene;
use super::stage::Stage;
use super::turn::{Verdict, What, ensure};

/// More events than any run has: a run with more never ends.
const EVENTS: usize = 20_000;

/// The result of a trial.
#[derive(Default)]
pub(crate) struct Trial {
    pub(crate) transcript: String,
    pub(crate) result: Option<String>,
    pub(crate) ambiguous: bool,
}

/// Runs the scene of a seed. With `talks`, the scene and the events are kept, too.
pub(crate) fn run(seed: u64, jobs: usize, talks: bool) -> Trial {
    let mut trial = Trial::default();
    let scene = invent(seed, jobs);
    if talks {
        writeln!(trial.transcript, "{scene}").expect("text grows");
    }
    let result = catch_unwind(AssertUnwindSafe(|| trial.play(&scene, talks)));
    trial.result = match result {
        Ok(verdict) => verdict.err(),
        Err(panic) => Some(panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "a panic".to_owned())),
    };
    trial
}

impl Trial {
    fn play(&mut self, scene: &Scene, talks: bool) -> Verdict {
        let (stage, orders) = (Stage::new(scene), Orders::new(scene));
        let engine = engine(scene, &stage);
        let (program, diagnostics) = engine.check(scene.statements(), Keep::All);
        let program = program.ok_or_else(|| format!("the program is refused: {diagnostics:?}"))?;
        let mut watch = |mode| self.watch(scene, &orders, &engine, &program, mode, talks);

        let before = stage.host.snapshot();
        let planned = watch(Mode::Plan)?;
        ensure(before == stage.host.snapshot(), || "the plan has changed the machine".to_owned())?;
        ensure(stage.host.writes().is_empty(), || format!("the plan has done {:?}", stage.host.writes()))?;

        let mut machine = Machine::new(scene);
        if let Some(writes) = scene.fault {
            stage.host.fail_after(writes);
        }
        let first = watch(Mode::Apply)?;
        stage.host.heal();
        machine.begin(scene.fault.is_some());
        first.iter().try_for_each(|record| machine.meet(record)).map_err(|why| format!("apply: {why}"))?;
        machine.compare(&stage).map_err(|why| format!("after apply: {why}"))?;

        let second = watch(Mode::Apply)?;
        machine.begin(false);
        second.iter().try_for_each(|record| machine.meet(record)).map_err(|why| format!("again: {why}"))?;
        machine.compare(&stage).map_err(|why| format!("after the second apply: {why}"))?;
        check_still(scene, &first, &second)?;
        ensure(stage.complaints().is_empty(), || stage.complaints().join("; "))?;
        match scene.fault.is_some() || self.ambiguous {
            true => Ok(()),
            false => Prediction::new(scene, &orders, &planned, &first).check(),
        }
    }

    fn watch(
        &mut self,
        scene: &Scene,
        orders: &Orders,
        engine: &Engine,
        program: &Program,
        mode: Mode,
        talks: bool,
    ) -> Result<Vec<Record>, String> {
        let mut events: Vec<Event> = Vec::new();
        engine.run(program, mode, &mut |event| {
            assert!(events.len() < EVENTS, "the run has no end");
            events.push(event.clone());
        });
        let mut referee = Referee::new(scene, orders);
        for event in &events {
            if talks {
                writeln!(self.transcript, "{}", line(event)).expect("text grows");
            }
            referee.hear(event).map_err(|why| format!("{mode:?}: {why}"))?;
        }
        referee.end().map_err(|why| format!("{mode:?}: {why}"))?;
        self.ambiguous |= referee.ambiguous;
        Ok(referee.records)
    }
}

/// The second run changes nothing that the first one has converged.
fn check_still(scene: &Scene, first: &[Record], second: &[Record]) -> Verdict {
    let twice = |record: &Record| scene.steps_of(record.thing).count() > 1;
    let converged = |record: &&Record| {
        let lasting =
            matches!(record.action, "converge" | "remove") && matches!(record.what, What::Written(_));
        lasting && !twice(record) && matches!(record.came, Came::Changed(_) | Came::Unchanged)
    };
    let made: BTreeSet<usize> = first.iter().filter(converged).map(|record| record.thing).collect();
    for record in second.iter().filter(|record| made.contains(&record.thing)).filter(converged) {
        let path = &scene.things[record.thing].path;
        ensure(matches!(record.came, Came::Unchanged), || format!("{path} is changed by the second run"))?;
    }
    Ok(())
}

fn engine(scene: &Scene, stage: &Stage) -> Engine {
    let builder = Engine::on(stage.machine())
        .kind::<Note>()
        .and_then(Engine::kind::<Folder>)
        .and_then(Engine::kind::<Pack>)
        .expect("the kinds are sound")
        .jobs(NonZeroUsize::new(scene.jobs).expect("at least one"));
    match scene.seed {
        Some(seed) => builder.seed(seed),
        None => builder,
    }
}

fn line(event: &Event) -> String {
    match &event.kind {
        EventKind::Started { resource, action, cause } => format!("  {resource} {action} begins: {cause:?}"),
        EventKind::Finished { resource, action, verdict, cause, .. } => {
            format!("  {resource} {action} ends: {cause:?} {verdict:?}")
        }
        other => format!("{other:?}"),
    }
}
