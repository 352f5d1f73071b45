//! Runs one seed: a watch with faults, and its result.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use uphold_engine::{Control, Engine, Event, EventKind, Summary, WatchRequest};
use uphold_resource::Stop;
use uphold_testkit::MemoryHost;

use super::invention::invent;
use super::plot::Plot;
use super::stage::{RECHECK, Shared, Stage};
use crate::simulation::dice::Dice;
use crate::watch::copies::Copy;
use crate::watch::kinds::{Folder, Lamp, Note, Pack};
use crate::watch::program::program;

/// The result of a trial.
pub(crate) struct Trial {
    pub(crate) transcript: Vec<String>,
    pub(crate) result: Result<(), String>,
    pub(crate) repairs: usize,
}

/// Runs the plot of a seed.
pub(crate) fn run(seed: u64, jobs: usize) -> Trial {
    let mut dice = Dice::new(seed);
    let plot = invent(&mut dice);
    let stage = Stage::new(dice, plot.clone(), jobs);
    let played = catch_unwind(AssertUnwindSafe(|| play(&stage, &plot, jobs)));
    let mut shared = stage.lock();
    let result = match played {
        Ok((summary, host)) => judge(&shared, &summary, &host, jobs),
        Err(panic) => Err(panic.downcast_ref::<&str>().map(ToString::to_string).unwrap_or_else(|| {
            panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "a panic".to_owned())
        })),
    };
    Trial { transcript: std::mem::take(&mut shared.transcript), result, repairs: shared.referee.repairs }
}

fn play(stage: &Stage, plot: &Plot, jobs: usize) -> (Summary, Arc<MemoryHost>) {
    let host = Arc::new(stage.machine());
    let (stop, control) = (Stop::default(), Control::default());
    let engine = Engine::on(host.machine())
        .kind::<Note>()
        .and_then(Engine::kind::<Folder>)
        .and_then(Engine::kind::<Lamp>)
        .and_then(Engine::kind::<Pack>)
        .and_then(Engine::kind::<Copy>)
        .expect("the kinds are sound")
        .stop(stop.clone())
        .jobs(NonZeroUsize::new(jobs).expect("at least one"));
    let engine = match plot.seed {
        Some(seed) => engine.seed(seed),
        None => engine,
    };
    stage.lock().transcript.push(plot.write());
    stage.play(&host, engine.clone(), control.clone(), stop);
    let recheck = (!stage.lock().honest).then_some(RECHECK);
    let request = WatchRequest { recheck, ..WatchRequest::default() };
    let summary = engine.watch(program(&engine, &plot.write()), &request, &control, &mut |event| {
        let mut shared = stage.lock();
        shared.transcript.push(line(event));
        shared.referee.hear(event);
    });
    // Breaks the cycle of references: the script owns the engine, which owns the machine, which owns the script.
    host.wait_for_real();
    (summary.expect("a machine in memory can be watched"), host)
}

fn line(event: &Event) -> String {
    match &event.kind {
        EventKind::Started { resource, action, cause } => format!("  {resource} {action} begins: {cause:?}"),
        EventKind::Finished { resource, action, verdict, .. } => {
            format!("  {resource} {action} ends: {verdict:?}")
        }
        other => format!("{:?} {other:?}", event.at),
    }
}

/// Checks the end state.
fn judge(shared: &Shared, summary: &Summary, host: &MemoryHost, jobs: usize) -> Result<(), String> {
    if let Some(complaint) = shared.referee.complaints.first() {
        return Err(complaint.clone());
    }
    shared.check(host)?;
    // With parallel visits, the stop may have come in the middle of a visit.
    if jobs > 1 {
        return Ok(());
    }
    if (summary.failed, summary.skipped) != (0, 0) {
        return Err(format!("in the end, {} are failed and {} skipped", summary.failed, summary.skipped));
    }
    match shared.calm_since {
        Some(calm) if shared.referee.last_change <= calm => Ok(()),
        Some(_) => Err("it goes on to change things that nobody touches".to_owned()),
        None => Err("it ended too early".to_owned()),
    }
}
