//! Files of 1 KiB in 100 directories: a first apply, a no-op apply with and without remembered digests, and a plan.

use std::path::PathBuf;
use std::time::Duration;

use super::configuration;
use super::measure::time;
use super::root::fresh_root;
use super::statistic::best_of;
use super::table::{Row, milliseconds};
use super::work::Bench;
use crate::disk;
use crate::failure::Result;

/// Number of files, number of runs, and whether the limits apply. Small numbers of files measure the start.
const SIZES: &[(usize, usize, bool)] = &[(100, 5, false), (1_000, 5, false), (10_000, 5, true)];
const FIRST_LIMIT: f64 = 1.3;
const NO_OP_LIMIT: f64 = 1.0;
const READING_LIMIT: f64 = 1.6;
const PLAN_LIMIT: f64 = 1.05;

/// One thread, like the floor.
const ONE_JOB: &[&str] = &["--jobs", "1"];
const READING: &[&str] = &["--no-cache"];

/// The age from which a file is remembered.
const SETTLED: Duration = Duration::from_millis(2100);

pub(crate) fn run(bench: &Bench) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (count, runs, is_limited) in SIZES {
        rows.extend(size(bench, *count, *runs, *is_limited)?);
    }
    Ok(rows)
}

/// The floor has one thread; we default to one per core. Both are shown; the limits apply to the default.
fn size(bench: &Bench, count: usize, runs: usize, is_limited: bool) -> Result<[Row; 6]> {
    let case = Case::new(bench, count)?;
    let row = |name: &str, (ours, floor): (Duration, Duration), limit: Option<f64>| {
        let name = format!("{name}, {count} files");
        let limit = limit.filter(|_| is_limited);
        Row::ratio(name, ours.as_secs_f64(), floor.as_secs_f64(), limit, milliseconds)
    };
    let alone_first = best_of(runs, || case.first_apply(ONE_JOB), || case.floor_first())?;
    let first = best_of(runs, || case.first_apply(&[]), || case.floor_first())?;
    case.verify()?;
    let reading = best_of(runs, || case.apply(READING), || case.floor_check())?;
    case.remember()?;
    let alone = best_of(runs, || case.apply(ONE_JOB), || case.floor_check())?;
    let no_op = best_of(runs, || case.apply(&[]), || case.floor_check())?;
    let plan = best_of(runs, || case.plan(), || case.apply(&[]))?;
    Ok([
        row("first apply", first, Some(FIRST_LIMIT)),
        row("first apply, 1 job", alone_first, None),
        row("no-op apply", no_op, Some(NO_OP_LIMIT)),
        row("no-op apply, 1 job", alone, None),
        row("no-op apply --no-cache", reading, Some(READING_LIMIT)),
        row("plan, nothing to do; floor is our no-op apply", plan, Some(PLAN_LIMIT)),
    ])
}

/// A configuration with a number of files, and a root for each side.
struct Case<'a> {
    bench: &'a Bench,
    count: usize,
    configuration: PathBuf,
    ours: PathBuf,
    floor: PathBuf,
}

impl<'a> Case<'a> {
    fn new(bench: &'a Bench, count: usize) -> Result<Self> {
        let folder = bench.folder();
        let configuration = folder.join(format!("files-{count}.hcl"));
        disk::write(&configuration, &configuration::files(count))?;
        Ok(Self { bench, count, configuration, ours: folder.join("ours"), floor: folder.join("floor") })
    }

    fn first_apply(&self, flags: &[&str]) -> Result<Duration> {
        fresh_root(&self.ours)?;
        self.apply(flags)
    }

    fn apply(&self, flags: &[&str]) -> Result<Duration> {
        time(self.bench.uphold("apply", &self.ours, &self.configuration).args(flags), 0)
    }

    fn plan(&self) -> Result<Duration> {
        time(&mut self.bench.uphold("plan", &self.ours, &self.configuration), 0)
    }

    /// Lets a run remember the digests of all files.
    fn remember(&self) -> Result {
        std::thread::sleep(SETTLED);
        self.apply(&[]).map(|_| ())
    }

    fn floor_first(&self) -> Result<Duration> {
        fresh_root(&self.floor)?;
        time(&mut self.bench.floor("write", &self.floor, self.count), 0)
    }

    fn floor_check(&self) -> Result<Duration> {
        time(&mut self.bench.floor("check", &self.floor, self.count), 0)
    }

    /// Lets the floor check our files: a run that is fast because it did nothing must not count.
    fn verify(&self) -> Result {
        time(&mut self.bench.floor("check", &self.ours, self.count), 0).map(|_| ())
    }
}
