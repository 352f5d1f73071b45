//! Files of 1 KiB in 100 directories: a first apply and a no-op apply.

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

/// Number of files, number of runs, and limit (if any). Small numbers of files measure the start.
const SIZES: &[(usize, usize, Option<f64>)] = &[(100, 5, None), (1_000, 5, None), (10_000, 3, Some(2.0))];

/// One thread, like the floor.
const ONE_JOB: &[&str] = &["--jobs", "1"];

pub(crate) fn run(bench: &Bench) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (count, runs, limit) in SIZES {
        rows.extend(size(bench, *count, *runs, *limit)?);
    }
    Ok(rows)
}

/// The floor has one thread; we default to one per core. Both are shown; the limit applies to the default.
fn size(bench: &Bench, count: usize, runs: usize, limit: Option<f64>) -> Result<[Row; 4]> {
    let case = Case::new(bench, count)?;
    let (ours, floor) = best_of(runs, || case.first_apply(&[]), || case.floor_first())?;
    case.verify()?;
    let row = |name: &str, (ours, floor): (Duration, Duration), limit: Option<f64>| {
        let name = format!("{name}, {count} files");
        Row::ratio(name, ours.as_secs_f64(), floor.as_secs_f64(), limit, milliseconds)
    };
    let no_op = best_of(runs, || case.apply(&[]), || case.floor_check())?;
    let alone_first = best_of(runs, || case.first_apply(ONE_JOB), || case.floor_first())?;
    let alone = best_of(runs, || case.apply(ONE_JOB), || case.floor_check())?;
    Ok([
        row("first apply", (ours, floor), limit),
        row("first apply, 1 job", alone_first, None),
        row("no-op apply", no_op, limit),
        row("no-op apply, 1 job", alone, None),
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
