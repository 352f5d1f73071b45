//! The overhead of the engine, and whether it keeps all threads busy.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::measure::{printed_number, time};
use super::statistic::best_of;
use super::table::{Row, microseconds, milliseconds};
use super::work::Bench;
use crate::disk;
use crate::failure::Result;

const NODES: usize = 100_000;
/// The engine's own cost of a node, at most.
const NODE_LIMIT: f64 = 20e-6;
const SLEEPERS: usize = 10_000;
const JOBS: usize = 100;
const SLEEP: Duration = Duration::from_millis(10);
const BUSY_LIMIT: f64 = 1.3;
const RUNS: usize = 3;

pub(crate) fn run(bench: &Bench) -> Result<Vec<Row>> {
    let cost = |kind: &str, count: usize, jobs: usize| -> Result<Duration> {
        let mut best = Duration::MAX;
        for _ in 0..RUNS {
            best = best.min(Duration::from_nanos(printed_number(&mut engine(bench, kind, count, jobs))?));
        }
        Ok(best)
    };
    let node = cost("idle", NODES, 1)?.as_secs_f64() / NODES as f64;
    let asleep = cost("sleep", SLEEPERS, JOBS)?.as_secs_f64();
    let ideal = SLEEP.as_secs_f64() * (SLEEPERS / JOBS) as f64;
    let (tasks, processes) = tasks(bench)?;
    Ok(vec![
        Row::ratio(
            format!("the engine's cost of a node, {NODES} nodes; floor is the limit"),
            node,
            NODE_LIMIT,
            Some(1.0),
            microseconds,
        ),
        Row::ratio(
            format!("{SLEEPERS} resources that sleep 10 ms, --jobs {JOBS}; floor is the ideal"),
            asleep,
            ideal,
            Some(BUSY_LIMIT),
            milliseconds,
        ),
        Row::ratio(
            format!("{SLEEPERS} tasks `sleep 0.01`, --jobs {JOBS}; floor starts the same processes"),
            tasks.as_secs_f64(),
            processes.as_secs_f64(),
            Some(BUSY_LIMIT),
            milliseconds,
        ),
    ])
}

/// Real processes, since the number that a machine can start at a time is limited.
fn tasks(bench: &Bench) -> Result<(Duration, Duration)> {
    let file = bench.folder().join("tasks.hcl");
    disk::write(&file, &text(SLEEPERS))?;
    best_of(RUNS, || time(&mut apply(bench, &file), 0), || time(&mut processes(bench), 0))
}

fn text(count: usize) -> String {
    (0..count).fold(String::new(), |mut text, index| {
        let block = "  interpreter = \"sleep\"\n  flags       = []\n  apply       = \"0.01\"\n  action      = \"run\"\n";
        writeln!(text, "task \"t{index}\" {{\n{block}}}").expect("a text grows");
        text
    })
}

fn engine(bench: &Bench, kind: &str, count: usize, jobs: usize) -> Command {
    let mut command = bench.program(Bench::ENGINE, &[kind, &count.to_string()], Path::new(&jobs.to_string()));
    command.stdin(std::process::Stdio::null());
    command
}

/// The only runs without `--root`; the others keep their state below their roots.
fn apply(bench: &Bench, file: &Path) -> Command {
    let mut command = bench.program(Bench::UPHOLD, &["apply", "--quiet", "--jobs", &JOBS.to_string()], file);
    command.env("UPHOLD_STATE", bench.folder().join("state"));
    command
}

fn processes(bench: &Bench) -> Command {
    bench.floor("sleep", Path::new(&JOBS.to_string()), SLEEPERS)
}
