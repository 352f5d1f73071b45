//! What it costs to hold files that nobody touches.

use std::time::Duration;

use super::{Case, FILES};
use crate::bench::configuration::SIZE;
use crate::bench::measure::time;
use crate::bench::statistic::best_of;
use crate::bench::table::{Row, bytes, milliseconds};
use crate::failure::Result;

/// What a file may cost, besides its own content, which we have to know in order to write it.
///
/// Counted is what the kernel says is resident: the difference between two watches, of all files and of one, in the same
/// directories; divided by the files; less the bytes of one content. So the base (the program, its threads, what the
/// directories cost) does not count, and neither does the content, once. Everything else does: what the allocator
/// rounds up or keeps, and whatever is kept of the text of the configuration, which is larger than the content.
const FILE_LIMIT: f64 = 1024.0;
/// Whatever is done in the first moment still belongs to the start.
const SETTLE: Duration = Duration::from_secs(1);
const RUNS: usize = 3;

pub(crate) fn run(case: &Case<'_>) -> Result<Vec<Row>> {
    let (one, all) = (case.one()?, case.ours()?);
    let (base, watch) = (case.watch_one(&one)?, case.watch(&all)?);
    std::thread::sleep(SETTLE);
    let before = watch.ticks()?;
    std::thread::sleep(case.idle_span());
    let ticks = watch.ticks()? - before;
    let memory = watch.memory()?.saturating_sub(base.memory()?) as f64 / (FILES - 1) as f64;
    base.end()?;
    watch.end()?;
    Ok(vec![processor(ticks, case.idle_span()), held(memory), arm(case)?])
}

/// One tick is the least that the kernel counts.
fn processor(ticks: u64, span: Duration) -> Row {
    let tick = 1.0 / rustix::param::clock_ticks_per_second() as f64;
    let name = format!("idle, {FILES} files: processor time in {} s; floor is one tick", span.as_secs());
    Row::ratio(name, ticks as f64 * tick, tick, Some(1.0), milliseconds)
}

fn held(memory: f64) -> Row {
    let name = format!("idle, {FILES} files: memory of each besides its {SIZE} bytes; floor is the limit");
    Row::ratio(name, memory - SIZE as f64, FILE_LIMIT, Some(1.0), bytes)
}

/// The same work, and all is watched at its end.
fn arm(case: &Case<'_>) -> Result<Row> {
    let side = case.ours()?;
    let watch = || time(case.watch_command(&side).args(["--until-converged", "1ms"]), 0);
    let (watch, apply) = best_of(RUNS, watch, || case.apply(&side))?;
    let name = format!("watch that ends when nothing is to be done, {FILES} files; floor is a no-op apply");
    Ok(Row::ratio(name, watch.as_secs_f64(), apply.as_secs_f64(), None, milliseconds))
}
