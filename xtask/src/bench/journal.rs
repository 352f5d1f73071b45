//! The cost of the journal: time compared with `--no-journal`, and its size.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::configuration;
use super::measure::time;
use super::root::fresh_root;
use super::statistic::best_of;
use super::table::{Row, bytes, milliseconds};
use super::work::Bench;
use crate::disk;
use crate::failure::Result;

const FILES: usize = 10_000;
const RUNS: usize = 9;
const FIRST_LIMIT: f64 = 1.1;
const NO_OP_LIMIT: f64 = 1.03;
/// The most bytes that are remembered of a resource.
const RESOURCE_LIMIT: f64 = 300.0;
/// The most bytes that are recorded of an action.
const ACTION_LIMIT: f64 = 1024.0;
const WITHOUT: &[&str] = &["--no-journal"];
/// Without a journal, all files are read; so the run with one must read them, too.
const READING: &[&str] = &["--no-cache"];

pub(crate) fn run(bench: &Bench) -> Result<Vec<Row>> {
    let file = bench.folder().join("journal.hcl");
    disk::write(&file, &configuration::files(FILES))?;
    let case = Case { bench, file, root: bench.folder().join("journal") };
    let row = |name: &str, (ours, floor): (Duration, Duration), limit| {
        let name = format!("{name}, {FILES} files; floor has no journal");
        Row::ratio(name, ours.as_secs_f64(), floor.as_secs_f64(), Some(limit), milliseconds)
    };
    let first = best_of(RUNS, || case.first_apply(&[]), || case.first_apply(WITHOUT))?;
    case.first_apply(&[])?;
    let sizes = case.sizes()?;
    let no_op = best_of(RUNS, || case.apply(READING), || case.apply(WITHOUT))?;
    let size = |name: &str, size: f64, limit: f64| {
        Row::ratio(format!("{name}; floor is the limit"), size, limit, Some(1.0), bytes)
    };
    Ok(vec![
        row("first apply", first, FIRST_LIMIT),
        row("no-op apply", no_op, NO_OP_LIMIT),
        size("journal, bytes of a resource", sizes.0, RESOURCE_LIMIT),
        size("journal, bytes of a change", sizes.1, ACTION_LIMIT),
    ])
}

struct Case<'a> {
    bench: &'a Bench,
    file: PathBuf,
    root: PathBuf,
}

impl Case<'_> {
    fn first_apply(&self, flags: &[&str]) -> Result<Duration> {
        fresh_root(&self.root)?;
        self.apply(flags)
    }

    fn apply(&self, flags: &[&str]) -> Result<Duration> {
        time(self.bench.uphold("apply", &self.root, &self.file).args(flags), 0)
    }

    /// The bytes that a first apply stores of each resource, and records of each action.
    fn sizes(&self) -> Result<(f64, f64)> {
        let state = self.root.join("var/lib/uphold");
        let size = |name: &str| -> Result<usize> { Ok(disk::read(&state.join(name))?.len()) };
        let runs: Vec<String> = disk::names(&state.join("runs"), ".jsonl")?;
        let recorded: Result<Vec<usize>> =
            runs.iter().map(|name| size(&Path::new("runs").join(name).display().to_string())).collect();
        let (applied, recorded) = (size("applied")?, recorded?.into_iter().sum::<usize>());
        Ok((applied as f64 / FILES as f64, recorded as f64 / FILES as f64))
    }
}
