//! The cost of watching files that do not change.

use std::time::Duration;

use super::{Case, FILES};
use crate::bench::configuration::SIZE;
use crate::bench::measure::time;
use crate::bench::statistic::best_of;
use crate::bench::table::{Row, bytes, milliseconds};
use crate::failure::Result;

/// The memory of a file in bytes, at most, without its content, which a repair needs.
///
/// Measured as resident memory: the difference between a watch of all files and a watch of one in the same
/// directories, divided by the number of files, minus the size of the content. So the base (program, threads,
/// directories) and one copy of the content do not count. All the rest does: memory that the allocator rounds up or
/// keeps, and everything kept of the configuration's text, which is larger than the content.
const FILE_LIMIT: f64 = 1024.0;
/// Work in this first moment still counts as start-up.
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
    Ok(vec![processor(ticks, case.idle_span()), memory_row(memory), arm(case)?])
}

/// The floor is one tick, the smallest unit that the kernel counts.
fn processor(ticks: u64, span: Duration) -> Row {
    let tick = 1.0 / rustix::param::clock_ticks_per_second() as f64;
    let name = format!("idle, {FILES} files: processor time in {} s; floor is one tick", span.as_secs());
    Row::ratio(name, ticks as f64 * tick, tick, Some(1.0), milliseconds)
}

fn memory_row(memory: f64) -> Row {
    let name = format!("idle, {FILES} files: memory of each without its {SIZE} bytes; floor is the limit");
    Row::ratio(name, memory - SIZE as f64, FILE_LIMIT, Some(1.0), bytes)
}

/// A no-op apply that also sets up all watches, compared with a plain one.
fn arm(case: &Case<'_>) -> Result<Row> {
    let side = case.ours()?;
    let watch = || time(case.watch_command(&side).args(["--until-converged", "1ms"]), 0);
    let (watch, apply) = best_of(RUNS, watch, || case.apply(&side))?;
    let name = format!("watch that exits when idle, {FILES} files; floor is a no-op apply");
    Ok(Row::ratio(name, watch.as_secs_f64(), apply.as_secs_f64(), None, milliseconds))
}
