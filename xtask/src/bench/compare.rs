//! `cargo xtask compare PROGRAM`: compares this build of `uphold` with another one, alternating between them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::disk;
use crate::failure::{Failure, Result};

use super::configuration;
use super::machine::facts;
use super::measure::{peak_memory, time};
use super::root::fresh_root;
use super::statistic::{best_of, median_of};
use super::table::{Row, bytes, milliseconds, render};
use super::work::Bench;

const FILES: usize = 10_000;
const RUNS: usize = 11;
const STARTS: usize = 101;
/// Exit code of `uphold plan` when there are changes to make.
const CHANGES_PENDING: i32 = 2;

/// Prints a row for each job; the column `floor` shows the other program.
pub(crate) fn run(other: &str) -> Result {
    let other = PathBuf::from(other);
    if !other.is_file() {
        return Err(Failure::new(format!("no program at {}", other.display())));
    }
    let ours = super::build()?;
    let bench = Bench::new(ours.0.clone(), ours.1, false)?;
    print!("{}", facts(bench.folder()));
    let pair = Pair { ours: ours.0, other, root: bench.folder().join("root") };
    let one = configured(&bench, "one.hcl", &configuration::files(1))?;
    let many = configured(&bench, "many.hcl", &configuration::files(FILES))?;
    let mixed = configured(&bench, "mixed.hcl", &configuration::mixture(FILES))?;
    let rows = [
        pair.start(&one)?,
        pair.plan("plan, 10,000 files", &many)?,
        pair.plan("plan, 10,000 references", &mixed)?,
        pair.first_apply("first apply, 10,000 files", &many)?,
        pair.no_op("no-op apply, 10,000 files", &many)?,
        pair.memory("memory, no-op apply, 10,000 files", &many)?,
        pair.first_apply("first apply, 10,000 references", &mixed)?,
        pair.no_op("no-op apply, 10,000 references", &mixed)?,
        pair.memory("memory, no-op apply, 10,000 references", &mixed)?,
    ];
    print!("\n{}", render(&rows));
    Ok(())
}

fn configured(bench: &Bench, name: &str, text: &str) -> Result<PathBuf> {
    let path = bench.folder().join(name);
    disk::write(&path, text)?;
    Ok(path)
}

/// Two builds of the command that work on one root.
struct Pair {
    ours: PathBuf,
    other: PathBuf,
    root: PathBuf,
}

impl Pair {
    fn start(&self, file: &Path) -> Result<Row> {
        fresh_root(&self.root)?;
        let run = |program| time(&mut self.command(program, "plan", file), CHANGES_PENDING);
        let times = median_of(STARTS, || run(&self.ours), || run(&self.other))?;
        Ok(row("start: plan of one file", times))
    }

    fn plan(&self, name: &str, file: &Path) -> Result<Row> {
        fresh_root(&self.root)?;
        let run = |program| time(&mut self.command(program, "plan", file), CHANGES_PENDING);
        Ok(row(name, best_of(RUNS, || run(&self.ours), || run(&self.other))?))
    }

    fn first_apply(&self, name: &str, file: &Path) -> Result<Row> {
        let run = |program| {
            fresh_root(&self.root)?;
            time(&mut self.command(program, "apply", file), 0)
        };
        Ok(row(name, best_of(RUNS, || run(&self.ours), || run(&self.other))?))
    }

    /// After a first apply, which left the machine as declared.
    fn no_op(&self, name: &str, file: &Path) -> Result<Row> {
        let run = |program| time(&mut self.command(program, "apply", file), 0);
        Ok(row(name, best_of(RUNS, || run(&self.ours), || run(&self.other))?))
    }

    fn memory(&self, name: &str, file: &Path) -> Result<Row> {
        let peak = |program| Ok(peak_memory(&mut self.command(program, "apply", file), 0)? as f64);
        let (ours, other): (f64, f64) = (peak(&self.ours)?, peak(&self.other)?);
        Ok(Row::ratio(name.to_owned(), ours, other, None, bytes))
    }

    fn command(&self, program: &Path, verb: &str, file: &Path) -> Command {
        let mut command = Command::new(program);
        command.args([verb, "--quiet", "--root"]).arg(&self.root).arg(file);
        command
    }
}

fn row(name: &str, (ours, other): (Duration, Duration)) -> Row {
    Row::ratio(name.to_owned(), ours.as_secs_f64(), other.as_secs_f64(), None, milliseconds)
}
